"use strict";
// What the page of `bot play` does beside what simcord's does: it finds the bot again after a restart, a link to a
// message of this channel shows that message, and the small print of a card has its lines, as on Discord.

const ask = window.fetch;
let comeBack;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (answer.status === 410 && String(asked[0]).startsWith("/api/state")) comeBack ??= reload();
  return answer;
};

// Those may be the last words of a bot that ends, and who loads a page of that one has none. So it must go on answering.
async function reload() {
  for (let answers = 0; answers < 3;) {
    await new Promise(done => setTimeout(done, 500));
    answers = await ask("/", { cache: "no-store" }).then(one => one.ok ? answers + 1 : 0, () => 0);
  }
  location.reload();
}

document.addEventListener("click", event => {
  const link = event.target.closest?.('a[href^="https://discord.com/channels/"]');
  const there = link && document.querySelector(`.channel-message[data-message-id="${link.href.split("/").pop()}"]`);
  if (!there) return;
  event.preventDefault();
  event.stopPropagation();
  there.scrollIntoView({ block: "center" });
}, true);

const looks = new CSSStyleSheet();
looks.replaceSync(".embed-footer { white-space: pre-line; overflow-wrap: anywhere; }");
document.adoptedStyleSheets.push(looks);
