"use strict";
// Steps through a match. All that is shown lies in this file, as the bot has made and escaped it.

const match = JSON.parse(document.getElementById("match").textContent);
const places = new Map([...document.querySelectorAll("[data-part]")].map(place => [place.dataset.part, place]));
const get = id => document.getElementById(id);
const end = match.frames.length - 1;
let at = -1, playing = 0;

// Each frame has only what has changed since the one before.
const whole = [];
for (const frame of match.frames) whole.push({ ...whole.at(-1), ...frame });

const picture = html => html.replace(/src="die\/([0-9a-f]{32})\.png"/g, (all, address) =>
  match.pictures[address] ? `src="data:image/png;base64,${match.pictures[address]}"` : "");

function show(next) {
  next = Math.min(end, Math.max(0, next));
  const frame = whole[next], before = whole[at] ?? {};
  for (const [name, place] of places) {
    const chunks = frame[name] ?? [];
    if (String(before[name] ?? []) !== String(chunks)) {
      place.innerHTML = picture(chunks.map(chunk => match.chunks[chunk]).join(""));
    }
  }
  for (const clock of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, clock.dataset.until - match.times[next]), hours = Math.floor(left / 3600);
    const digits = [Math.floor(left / 60) % 60, left % 60].map(part => String(part).padStart(2, "0")).join(":");
    clock.textContent = hours ? `${hours}:${digits}` : digits;
  }
  at = next;
  get("at").value = at;
  get("where").textContent = `${at + 1} / ${end + 1}`;
  get("at").setAttribute("aria-valuetext", `${at + 1} / ${end + 1}`);
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => at < end ? show(at + 1) : play(false), 1800) : 0;
  get("play").setAttribute("aria-pressed", String(Boolean(on)));
}

const steps = { first: () => show(0), back: () => show(at - 1), next: () => show(at + 1), last: () => show(end) };
for (const [id, step] of Object.entries(steps)) {
  get(id).addEventListener("click", () => { play(false); step(); });
}
get("play").addEventListener("click", () => play(!playing));
get("at").addEventListener("input", event => { play(false); show(Number(event.target.value)); });
addEventListener("keydown", event => {
  const step = { ArrowLeft: steps.back, ArrowRight: steps.next, Home: steps.first, End: steps.last }[event.key];
  if (!step || event.target.id === "at" || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  play(false);
  step();
});
get("check")?.addEventListener("click", async () => {
  try {
    const found = await verify(new TextEncoder().encode(match.seal));
    get("verdict").textContent = [found.sentence, ...found.warnings].join(" ");
  } catch (error) {
    get("verdict").textContent = `The seal could not be checked: ${error.message}. Use verify.html.`;
  }
});
show(0);
