"use strict";
// Shows what the bot sends of a table, in its place. All of it is HTML that the bot has made and escaped.

const policy = globalThis.trustedTypes?.createPolicy("table", { createHTML: html => html }) ?? { createHTML: html => html };
const root = document.documentElement, words = root.dataset;
const places = new Map([...document.querySelectorAll("[data-part]")].map(place => [place.dataset.part, place]));
const state = document.getElementById("state"), sound = document.getElementById("sound");
const PATIENCE = 40_000, AGAIN = 2_000, LATER = 60_000;

function show(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const place = places.get(name);
    if (place) place.innerHTML = policy.createHTML(html);
  }
  tick();
  if ("roll" in parts) rattle(places.get("roll").querySelectorAll(".new").length);
}

function say(kind, text) {
  state.className = kind;
  state.textContent = text;
}

// Clocks run here: the bot says when they end, or how long they have run.
function tick() {
  for (const clock of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round(clock.dataset.until - Date.now() / 1000)), hours = Math.floor(left / 3600);
    const digits = [Math.floor(left / 60) % 60, left % 60].map(part => String(part).padStart(2, "0")).join(":");
    clock.textContent = hours ? `${hours}:${digits}` : digits;
  }
}
setInterval(tick, 1_000);

// The sound of dice: short bursts of noise, made here. It is off until somebody switches it on.
let audio;
function rattle(dice) {
  if (!audio || !dice || sound.getAttribute("aria-pressed") !== "true") return;
  for (let hit = 0; hit < Math.min(3 * dice, 18); hit++) {
    const length = Math.floor(audio.sampleRate * 0.03), noise = audio.createBuffer(1, length, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 4;
    const source = new AudioBufferSourceNode(audio, { buffer: noise });
    const body = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1500 + 1800 * Math.random(), Q: 2.5 });
    source.connect(body).connect(new GainNode(audio, { gain: 0.5 / (1 + hit / 4) })).connect(audio.destination);
    source.start(audio.currentTime + 0.3 * Math.random() + 0.35 * (hit / 18));
  }
}
sound?.addEventListener("click", () => {
  const on = sound.getAttribute("aria-pressed") !== "true";
  audio ??= new AudioContext();
  if (on) audio.resume();
  sound.setAttribute("aria-pressed", String(on));
  rattle(2);
});
