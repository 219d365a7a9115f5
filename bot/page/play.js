"use strict";
// What the page of `bot play` does beside what simcord's does: it finds the bot again after a restart, and a link to a
// message of this channel shows that message.

const ask = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (answer.status === 410 && String(asked[0]).startsWith("/api/state")) location.reload();
  return answer;
};

document.addEventListener("click", event => {
  const link = event.target.closest?.('a[href^="https://discord.com/channels/"]');
  const there = link && document.querySelector(`.channel-message[data-message-id="${link.href.split("/").pop()}"]`);
  if (!there) return;
  event.preventDefault();
  event.stopPropagation();
  there.scrollIntoView({ block: "center" });
}, true);
