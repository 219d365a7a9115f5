"use strict";
// What the page of `bot play` does beside what simcord's does: it finds the bot again after a restart, nothing moves
// under a pointer that is down, whoever sends a form or a command is taken to the card that it made, a link to a
// message of this channel shows that message, the channel's topic is shown whole by a press, the small print of a card
// has its lines and a code block no language, as on Discord, a long command doesn't push its Send arrow off a phone's screen, a page opens at the newest card, and what
// is for authors of bots (a list of all messages; on a phone its tools too) takes no room.

const ask = window.fetch;
let comeBack;
window.fetch = async (...asked) => {
  const answer = await ask(...asked), path = String(asked[0]);
  if (path.startsWith("/api/state")) {
    if (answer.status === 410) comeBack ??= reload();
    answer.json = async () => {
      const shown = await Response.prototype.json.call(answer);
      await held;
      return shown;
    };
  }
  if (path === "/api/action" && answer.ok) void follow(asked[1].body, answer.clone());
  return answer;
};

// A button that is drawn anew between pointer down and up loses its click.
let held, release;
addEventListener("pointerdown", () => { release?.(); held = new Promise(done => { release = done; }); }, true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => setTimeout(() => release?.()), true);

async function follow(sent, answer) {
  const kind = typeof sent === "string" && JSON.parse(sent).kind;
  if (!["modal_submit", "run_command"].includes(kind)) return;
  const made = (await answer.json()).outcomes?.find(one => ["response", "followup"].includes(one.kind) && one.messageId);
  if (!made) return;
  const there = () => document.querySelector(`.channel-message[data-message-id="${made.messageId}"]`);
  // simcord has drawn it and given back the focus of before once it takes the next action.
  for (let waits = 0; waits < 200 && (!there() || !window.simcordPreview?.ready); waits++) await pause(25);
  await drawn(there());
  const card = there(), first = card?.querySelector(".component-button:not(:disabled)") ?? card;
  if (!card) return;
  card.scrollIntoView({ block: "end" });
  if (kind !== "modal_submit") return;  // after a command, one types on
  card.tabIndex = -1;
  first.focus({ preventScroll: true });
}

async function drawn(card) {
  const images = [...card?.querySelectorAll("img") ?? []];
  await Promise.race([Promise.allSettled(images.map(one => one.decode())), pause(2000)]);
}

// Who opens the page sees the newest card, as on Discord.
void (async () => {
  const newest = () => [...document.querySelectorAll(".channel-message")].at(-1);
  for (let waits = 0; waits < 400 && !(newest() && window.simcordPreview?.ready); waits++) await pause(25);
  await drawn(newest());
  newest()?.scrollIntoView({ block: "end" });
})();

// A press that comes while another is under way waits for that one; simcord's page drops it.
document.addEventListener("click", event => {
  const pressed = event.target.closest?.('[data-control-key][aria-disabled="true"]:not(:disabled)');
  if (!pressed || !event.isTrusted) return;
  event.preventDefault();
  event.stopPropagation();
  void pressLater(pressed.dataset.controlKey);
}, true);

async function pressLater(key) {
  for (let waits = 0; waits < 2400; waits++) {
    await pause(25);
    const there = document.querySelector(`[data-control-key="${CSS.escape(key)}"]`);
    if (there?.getAttribute("aria-disabled") === "true") continue;
    there?.click();
    return;
  }
}

function pause(milliseconds) {
  return new Promise(done => setTimeout(done, milliseconds));
}

// Those may be the last words of a bot that ends, and who loads a page of that one has none. So it must go on answering.
async function reload() {
  for (let answers = 0; answers < 3;) {
    await pause(500);
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

// The topic holds the first steps. On a phone it has a row of its own.
document.addEventListener("click", event => event.target.closest?.(".channel-topic")?.classList.toggle("whole"));

const looks = new CSSStyleSheet();
looks.replaceSync(`
  .channel-topic { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; white-space: normal; }
  .channel-topic { cursor: pointer; }
  .channel-topic.whole { -webkit-line-clamp: none; }
  /* Until it has come, a picture is as high as it says, and an icon as wide; not as its words. */
  .media-lightbox-trigger:has(> .embed-image) { width: 1000px; }
  .embed-image, .custom-emoji { overflow: hidden; }
  .custom-emoji { display: inline-block; }
  .code-language { display: none; }
  .embed-footer { white-space: pre-line; overflow-wrap: anywhere; }
  .channel-composer { grid-template-columns: minmax(0, 1fr); }
  .messages-sidebar, #messages-toggle { display: none; }
  .preview-workspace { grid-template-columns: minmax(0, 1fr) auto; }
  @media (max-width: 760px) {
    .preview-shell { --toolbar-height: 76px; }
    .channel-heading { flex-wrap: wrap; gap: 2px; }
    .channel-topic { flex-basis: 100%; padding: 0; border: 0; }
    #refresh, #capture-open, #inspector-toggle, #view-action-output { display: none; }
  }
`);
document.adoptedStyleSheets.push(looks);
