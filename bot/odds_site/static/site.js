// The page of odds: it keeps a question in the address, asks the worker, and shows the HTML that our own Python made.

const policy = globalThis.trustedTypes?.createPolicy("site", {
  createHTML: html => html,
  createScriptURL: url => url,
}) ?? { createHTML: html => html, createScriptURL: url => url };
const $ = id => document.getElementById(id);
const forms = new Map([...document.querySelectorAll("form[data-game]")].map(form => [form.dataset.game, form]));
const first = [...forms.keys()][0], words = document.querySelector(".tools").dataset;
const answer = $("answer"), state = $("state");
const faces = words.faces.split(","), root = document.documentElement;
const REST = 250, PATIENCE = 30_000, ADDRESS_MOST = 60_000, TEXT_MOST = 200_000, EARLIER = 20;
let game = first, worker, asked = 0, answered = 0, written = 0, eager = false, spelled, waiting, late;

// The worker

function begin() {
  worker?.terminate();
  worker = new Worker(policy.createScriptURL(`worker.js?language=${root.lang}`), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.broken) return say(words.broken);
    if (data.ready) return Promise.all([opened, give()]).then(() => ask());
    if (data.id !== asked) return;
    clearTimeout(late);
    answered = data.id;
    say(data.failed ? words.failed : "");
    const { rolls, ...rest } = data.failed ? {} : JSON.parse(data.text);
    if (rolls) fall(rolls);
    else if (!data.failed) show(rest);
    if (eager) { eager = false; ask(true); }
  });
}

function ask(rolls = false) {
  const question = { game, language: root.lang, rolls, ...read() };
  asked += 1;
  if (answered) say(words.counting);
  clearTimeout(late);
  if (answered) late = setTimeout(() => { say(words.slow); begin(); }, PATIENCE);
  worker.postMessage({ id: asked, text: JSON.stringify(question) });
}

// Army data that somebody has chosen stays in this browser, also for the next visit; Python reads it when a code comes.
const OWN = "own-files";

async function give() {
  if (!await globalThis.caches?.has(OWN)) return;
  const kept = await caches.open(OWN), files = {};
  for (const one of await kept.keys()) files[decodeURIComponent(one.url.split("/").pop())] = await (await kept.match(one)).text();
  worker.postMessage({ files: JSON.stringify(files) });
}

document.addEventListener("change", async ({ target }) => {
  if (target.type !== "file") return;
  const kept = await caches.open(OWN);
  for (const file of target.files) await kept.put(encodeURIComponent(file.name), new Response(file));
  if (answered) await give();
  soon();
});

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => { $("strange").hidden = true; write(); ask(); }, REST);
}

// Dice have fallen: each with the picture of its face, the bar where the result lies in a frame, earlier results below.
function fall(rolls) {
  for (const here of answer.querySelectorAll(".here")) here.classList.remove("here");
  $("rolled").innerHTML = policy.createHTML(rolls.map(one => one.html).join(""));
  for (const die of $("rolled").querySelectorAll("[data-die]")) draw(die, faces.indexOf(die.dataset.die));
  for (const { short, bar } of rolls) {
    const [card, ...place] = (bar ?? "").split("-");
    answer.querySelectorAll("article")[card]?.querySelector(`[data-bar="${place.join("-")}"]`)?.classList.add("here");
    const item = document.createElement("li");
    item.innerHTML = policy.createHTML(short);
    $("earlier").prepend(item);
  }
  while ($("earlier").children.length > EARLIER) $("earlier").lastElementChild.remove();
  // It lies below the edge: a short chart stays above it.
  const seen = answer.offsetHeight < innerHeight / 2 ? answer : $("rolled");
  if ($("rolled").getBoundingClientRect().bottom > innerHeight) seen.scrollIntoView({ block: "start" });
}

function draw(die, at) {
  if (at < 0) return;
  const [svg, image] = ["svg", "image"].map(name => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", `${at} 0 1 1`);
  for (const [name, value] of Object.entries({ href: "dice.png", width: faces.length, height: 1 })) image.setAttribute(name, value);
  svg.append(image);
  die.replaceChildren(svg);
}

function show({ fields, cards, error, question }) {
  delete root.dataset.loading;
  spelled = question && JSON.stringify([game, ...question]);
  $("rolled").replaceChildren();
  $("earlier").replaceChildren();
  if (fields !== undefined) renew(forms.get(game).querySelector(".asks"), fields);
  answer.innerHTML = policy.createHTML((error ?? "") + (cards ?? ""));
  $("bar").textContent = answer.querySelector(".error, .outcome")?.textContent ?? "";
  press();
}

// A preset looks chosen while its field says the same.
function press() {
  for (const one of document.querySelectorAll(".preset")) {
    one.setAttribute("aria-pressed", String(one.closest("p").querySelector("input").value === one.value));
  }
}

// Fields change where ships do. What somebody is typing in stays as it is, and so does the place of the keyboard.
function renew(place, html) {
  const fresh = document.createElement("div");
  fresh.innerHTML = policy.createHTML(html);
  const shape = of => [...of.querySelectorAll("input, select, textarea, option, legend, label")]
    .map(one => [one.tagName, one.name, one.type, one.tagName === "OPTION" || one.type === "checkbox" ? one.value : "",
      ["LABEL", "LEGEND"].includes(one.tagName) ? one.textContent : ""].join()).join("|");
  if (shape(place) === shape(fresh)) return;
  const id = document.activeElement?.id;
  place.replaceChildren(...fresh.childNodes);
  if (id) $(id)?.focus();
}

// The question: as the forms have it, and as the address has it

function read() {
  const form = forms.get(game), shared = {};
  for (const one of form.querySelectorAll(":scope > p > [name]")) shared[one.name] = one.value;
  const asks = [...form.querySelectorAll(".asks > fieldset")].map(set => {
    const values = {};
    for (const one of set.querySelectorAll("[name]")) {
      if (one.type !== "checkbox") values[one.name] = one.value;
      else if (one.checked) values[one.name] = values[one.name] ? `${values[one.name]}, ${one.value}` : one.value;
    }
    return values;
  });
  return { shared, asks };
}

async function write() {
  const { shared, asks } = read(), mine = ++written, held = await packed(JSON.stringify([game, filled(shared), asks.map(filled)]));
  if (mine === written && held.length < ADDRESS_MOST) history.replaceState(null, "", `#${held}`);
}

async function open() {
  const held = location.hash.slice(1);
  $("strange").hidden = true;
  if (!held || forms.has(held)) return turn(held || first);
  const question = await unpacked(held).then(JSON.parse).catch(() => null);
  $("strange").hidden = isQuestion(question);
  if (!isQuestion(question)) return turn(first);
  const [to, shared, asks] = question;
  turn(to);
  empty();  // it answers another question
  fill({ shared, asks });
}

const filled = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
const isWords = one => one instanceof Object && !Array.isArray(one) && Object.values(one).every(value => typeof value === "string");
const isQuestion = one => Array.isArray(one) && forms.has(one[0]) && isWords(one[1]) && Array.isArray(one[2]) && one[2].every(isWords);

// As bot/odds_site/address.py: deflated without a header, in the letters of base64url. What would grow too large is refused.
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, one => String.fromCharCode(one)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(held) {
  if (held.length > ADDRESS_MOST) throw new RangeError("too long");
  const bytes = Uint8Array.from(atob(held.replaceAll("-", "+").replaceAll("_", "/")), one => one.charCodeAt(0));
  const from = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), text = new TextDecoder();
  for (let whole = ""; whole.length < TEXT_MOST;) {
    const { done, value } = await from.read();
    if (done) return whole;
    whole += text.decode(value, { stream: true });
  }
  throw new RangeError("too large");
}

// What an address does not say is empty, whatever stood there before.
function fill({ shared, asks }) {
  const form = forms.get(game), place = form.querySelector(".asks"), many = asks.slice(0, form.dataset.most);
  for (const one of form.querySelectorAll(":scope > p > [name]")) one.value = shared[one.name] ?? "";
  while (place.children.length < many.length) another(form);
  while (place.children.length > Math.max(many.length, 1)) place.lastElementChild.remove();
  form.querySelector(".more")?.toggleAttribute("hidden", place.children.length >= form.dataset.most);
  many.forEach((values, at) => {
    const set = place.children[at];
    if (answered) set.replaceChildren();  // Python says in a moment which fields and options there are
    const fields = [...set.querySelectorAll("[name]")], names = fields.map(one => one.name);
    for (const one of fields) {
      if (one.type === "checkbox") one.checked = (values[one.name] ?? "").split(", ").includes(one.value);
      else one.value = values[one.name] ?? "";
    }
    for (const [name, value] of Object.entries(values)) if (!names.includes(name)) set.append(kept(name, value));
  });
}

// A ship or claim of an address, until Python has read the squads and made its list.
function kept(name, value) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  return field;
}

function another(form) {
  const place = form.querySelector(".asks"), copy = place.lastElementChild.cloneNode(true), at = place.children.length;
  const from = place.lastElementChild.querySelectorAll("[name]");
  copy.querySelectorAll("[name]").forEach((one, index) => {
    if (one.type === "checkbox") one.checked = from[index].checked;
    else one.value = from[index].value;
  });
  for (const one of copy.querySelectorAll("[id]")) one.id = one.id.replace(/^ask-\d+/, `ask-${at}`);
  for (const one of copy.querySelectorAll("label")) one.htmlFor = one.htmlFor.replace(/^ask-\d+/, `ask-${at}`);
  place.append(copy);
  form.querySelector(".more").hidden = place.children.length >= form.dataset.most;
}

function turn(to) {
  game = to;
  for (const [key, form] of forms) form.hidden = key !== to;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const on = tab.hash === `#${to}`;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
  if (answered || to !== first) empty();  // the page brings the first answer along
}

function empty() {
  answer.replaceChildren();
  $("bar").replaceChildren();
}

// What people press

document.addEventListener("input", event => {
  const form = event.target.closest("form");
  if (!form) return;
  if (event.target.closest("form > p") && form.dataset.example) leave(form);
  press();
  soon();
});

// Squads or profiles come: what the example typed goes, unless somebody has changed it. Its lists of dice stay until
// Python has read a ship.
function leave(form) {
  const example = JSON.parse(form.dataset.example);
  for (const one of form.querySelectorAll(".asks input[name]")) if (one.value === example[one.name]) one.value = "";
  delete form.dataset.example;
}
document.addEventListener("submit", event => event.preventDefault());
document.addEventListener("click", async event => {
  const language = event.target.closest(".language"), preset = event.target.closest(".preset");
  if (language) language.hash = location.hash;  // the question goes along
  if (language && waiting && !event.ctrlKey && !event.metaKey) {  // also what was pressed a moment ago
    event.preventDefault();
    await write();
    location.href = new URL(location.hash, language.href);
  }
  if (preset) { preset.closest("p").querySelector("input").value = preset.value; press(); soon(); }
  const more = event.target.closest(".more");
  if (more) { another(more.closest("form")); soon(); }
});
document.querySelector("[role=tablist]").addEventListener("keydown", event => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...document.querySelectorAll("[role=tab]")], at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.click();
  turn(next.hash.slice(1));  // at once: the address tells us only in a moment, and Tab may be pressed sooner
  next.focus();
});
addEventListener("hashchange", async () => { await open(); if (answered) ask(); });
$("roll").addEventListener("click", () => { if (answered) ask(true); else { eager = true; say(words.eager); } });  // pressed sooner than Python is there: it rolls then
$("share").addEventListener("click", async () => {
  await write();
  const there = spelled ? new URL(`#${await packed(spelled)}`, location.href) : location;
  await copy(() => navigator.clipboard.writeText(there.href));
});
$("copy").addEventListener("click", async () => {
  if (!answer.querySelector("svg")) return;
  await copy(() => navigator.clipboard.write([new ClipboardItem({ "image/png": picture() })]));
});
$("picture").addEventListener("click", async () => {
  if (!answer.querySelector("svg")) return;
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await picture()), download: "odds.png" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

async function copy(act) {
  say(await act().then(() => words.copied, () => words.uncopied));
}

// The first chart below its headline as a PNG, twice as large, in the colors of the page.
async function picture() {
  const chart = answer.querySelector("svg");
  const copy = chart.cloneNode(true), from = chart.querySelectorAll("*"), ground = getComputedStyle(document.body);
  copy.querySelectorAll("*").forEach((one, at) => {
    const look = getComputedStyle(from[at]);
    for (const name of ["fill", "font-family", "font-size", "font-weight"]) one.setAttribute(name, look.getPropertyValue(name));
  });
  const [, , wide, high] = chart.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("width", 2 * wide);
  copy.setAttribute("height", 2 * high);
  const image = new Image(), address = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const lines = [...chart.parentElement.querySelectorAll("h2, .outcome")], head = 40 * lines.length + 20;
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * wide, height: 2 * high + head });
  const ink = canvas.getContext("2d");
  ink.fillStyle = ground.backgroundColor;
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.drawImage(image, 0, head);
  ink.fillStyle = ground.color;
  lines.forEach((line, at) => {
    ink.font = `${getComputedStyle(line).fontWeight} 28px ${ground.fontFamily}`;
    ink.fillText(line.textContent, 20, 40 * (at + 1), canvas.width - 40);
  });
  URL.revokeObjectURL(address);
  return new Promise(done => canvas.toBlob(done));
}

function say(text) {
  state.textContent = text;
}

say(words.loading);
const opened = open();
begin();
navigator.serviceWorker?.register(policy.createScriptURL("offline.js")).catch(() => {});
