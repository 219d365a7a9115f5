// The frame in the call: asks Discord who looks, and the bot for the table and for what is this person's own.
// The messages are those of npm's @discord/embedded-app-sdk; a test holds them against the real one.

const HANDSHAKE = 0, FRAME = 1, SDK = "2.5.0", FIRST_MOBILE = 250, SILENT = 3_000;
const PAUSE_LEAST = 1_000, PAUSE_MOST = 60_000, LONG = 10_000, TOO_LONG = 30_000;
const HOSTS = [location.origin, "https://discord.com", "https://discordapp.com", "https://ptb.discord.com", "https://ptb.discordapp.com", "https://canary.discord.com", "https://canary.discordapp.com", "https://staging.discord.co", "http://localhost:3333", "https://pax.discord.com", "null"];  // those of the SDK
const asked = new URLSearchParams(location.search), own = document.getElementById("own"), advice = document.getElementById("advice");
const tables = document.getElementById("tables"), share = document.getElementById("share"), host = parent.opener ?? parent;
const waiting = new Map();
let ready, session, choices, last, stop = () => {}, heard = performance.now(), byEvents = true;
let code, tries = 0;  // the code counts once, and is kept until it has; how often the bot was asked in vain
const isReady = new Promise(done => { ready = done; });

addEventListener("message", event => {
  if (event.source !== host || !HOSTS.includes(event.origin) || !Array.isArray(event.data) || event.data[0] !== FRAME) return;
  const { cmd, evt, nonce, data } = event.data[1] ?? {};
  if (cmd === "DISPATCH" && evt === "READY") return ready();
  const told = waiting.get(nonce);
  waiting.delete(nonce);
  if (told) evt === "ERROR" ? told.refuse(data) : told.answer(data);
});

// Nothing that is said to the host is secret; of one whose origin is opaque nobody knows the address.
const unique = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

// Says so where Discord keeps somebody waiting.
function patiently(answer) {
  const late = setTimeout(() => fill(places.get("said"), words.silent), LONG);
  return answer.finally(() => clearTimeout(late));
}

function tell(cmd, args) {
  const nonce = unique();
  host.postMessage([FRAME, { cmd, args, nonce }], "*");
  return new Promise((answer, refuse) => waiting.set(nonce, { answer, refuse }));
}

function shake() {
  const hand = { v: 1, encoding: "json", client_id: words.client, frame_id: asked.get("frame_id") };
  const major = parseInt((asked.get("mobile_app_version") ?? "").split(".")[0]);
  if (asked.get("platform") === "desktop" || major >= FIRST_MOBILE) hand.sdk_version = SDK;
  host.postMessage([HANDSHAKE, hand], "*");
}

// What the bot says, with its status; 0 where it did not say anything.
async function call(path, body) {
  const headers = session ? { "X-Session": session } : {};
  const how = body ? { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) } : { headers };
  const late = setTimeout(() => say("waiting", words.waiting), LONG);
  try {
    const answer = await fetch(`/${words.shard}/call/${path}`, { ...how, signal: AbortSignal.timeout(TOO_LONG), cache: "no-store", referrerPolicy: "no-referrer" });
    return { ...await answer.json(), status: answer.status };
  } catch {  // nobody is there, or a proxy says so
    return { status: 0 };
  } finally {
    clearTimeout(late);
  }
}

// Milliseconds until the next try: each time up to twice as long, and each frame at another moment.
const pause = () => Math.max(PAUSE_LEAST, Math.random() * Math.min(PAUSE_MOST, PAUSE_LEAST * 2 ** ++tries));

// Consent may be refused; then the page says so, and asks again when somebody presses.
async function join() {
  try {
    code ??= (await patiently(tell("AUTHORIZE", { client_id: words.client, response_type: "code", state: "", prompt: "none", scope: ["identify"] }))).code;
  } catch {
    return again(words.refused);
  }
  const found = await call("join", { code, instance: asked.get("instance_id") ?? "", table: tables.value || (asked.get("custom_id") ?? "") });
  if (found.status === 200 || found.status === 403) code = undefined;
  if (found.status === 403 && !tries) return again(found.refused);
  if (found.status !== 200) {
    say("waiting", words.waiting);
    const next = pause();
    if (found.status === 403) tries = 0;  // the code was used or is too old by now; a new one has one try
    return setTimeout(join, next);
  }
  tries = 0;
  session = found.session;
  choices = 0;  // each has a number, and counts once
  begin(found);
}

function again(html) {
  stop();
  session = mine.last = undefined;
  tries = 0;
  say("over", "");
  fill(places.get("said"), html);
  for (const [name, place] of places) if (name !== "said") place.replaceChildren();
  advice.replaceChildren();
  own.replaceChildren(button(words.again, join));
  own.firstChild.focus();
}

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

function begin(found) {
  shown(found.parts);
  last = found.frame;
  mine(found.own);
  tables.hidden = found.tables.length < 2;
  tables.replaceChildren(...found.tables.map(({ id, name }) => Object.assign(document.createElement("option"), { value: id, textContent: name })));
  if (found.table) tables.value = found.table;
  share.hidden = !tables.value;
  listen();
}

const rooted = html => html.replaceAll('src="die/', `src="/${words.shard}/die/`);
const fill = (place, html) => { place.innerHTML = policy.createHTML(rooted(html)); };
const shown = parts => show(Object.fromEntries(Object.entries(parts).map(([name, html]) => [name, rooted(html)])));

function mine(html) {
  if (html === mine.last) return;
  mine.last = html;
  const at = own.contains(document.activeElement) ? document.activeElement.dataset : undefined;
  fill(own, html);
  if (at) [...own.querySelectorAll("[data-do]")].find(({ dataset }) => ["do", "of", "roll"].every(name => dataset[name] === at[name]))?.focus();
}

// One question at a time; what changes meanwhile is asked for after it.
let looking = false, later = false;
async function look() {
  if (looking) return later = true;
  looking = true;
  do {
    later = false;
    const found = await call("own");
    if (found.own !== undefined) mine(found.own);
  } while (later);
  looking = false;
}

function listen() {
  stop();
  heard = performance.now();
  (byEvents ? events : socket)();
}

function took(text) {
  heard = performance.now();
  tries = 0;
  say("", words.live);
  const lines = text.split("\n"), of = name => lines.find(line => line.startsWith(name + ": "))?.slice(name.length + 2);
  if (of("event") === "crowded") {
    stop();
    heard = Infinity;
    setTimeout(lost, LATER);
    return say("waiting", words.crowded);
  }
  if (of("event") === "over") return again(words.ended);
  if (of("event") === "own") return look();
  if (of("event") || of("data") === undefined) return;
  last = of("id");
  const parts = JSON.parse(of("data"));
  shown(parts);
  if ("roll" in parts) advice.replaceChildren();
}

// Some proxies keep events back until a stream ends. Where none has come after a while, the other way is taken.
async function events() {
  const ending = new AbortController();
  stop = () => ending.abort();
  const silent = setTimeout(() => { byEvents = false; listen(); }, SILENT);
  try {
    const answer = await fetch(`/${words.shard}/call/events?after=${encodeURIComponent(last)}`, { headers: { "X-Session": session }, signal: ending.signal, cache: "no-store", referrerPolicy: "no-referrer" });
    if (!answer.ok) throw answer.status;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const whole = text.split("\n\n");
      text = whole.pop();
      for (const one of whole.filter(one => /^(id|event|data)/.test(one))) {
        clearTimeout(silent);
        took(one);
      }
    }
  } catch { /* it broke, or was stopped */ }
  clearTimeout(silent);
  if (!ending.signal.aborted) lost();
}

// The same frames by a WebSocket; where that is not let through either, the stream gets its next turn.
function socket() {
  const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${words.shard}/call/socket`);
  let over = false;
  byEvents = true;
  stop = () => { over = true; made.close(); };
  made.addEventListener("open", () => made.send(JSON.stringify({ session, after: last })));
  made.addEventListener("message", event => {
    byEvents = false;
    took(event.data.trimEnd());
  });
  made.addEventListener("close", () => { if (!over) lost(); });
}

// The connection broke: the bot may have started again, and knows nobody then.
function lost() {
  say("waiting", words.waiting);
  stop();
  heard = Infinity;  // it is asked for already
  setTimeout(async () => {
    const found = await call("own");
    if (found.status === 200) {
      mine(found.own);
      listen();
    } else if (found.status === 403) {
      session = undefined;
      tries = 0;
      join();
    } else lost();
  }, pause());
}

setInterval(() => {
  if (session && performance.now() - heard > PATIENCE) lost();
}, 5_000);

async function choose(from, more = {}) {
  const { do: what, ...rest } = from.dataset;
  const found = await call("choose", { ...rest, do: what, once: String(++choices), ...more });
  if (!found.status) found.refused = words.waiting;
  advice.replaceChildren();
  if (found.refused) fill(advice, found.refused);
  if (found.places) advice.append(button(words.anyway, () => choose(from, { anyway: "yes" })));
  if (found.advice) fill(advice, found.advice);
  if (found.own !== undefined) mine(found.own);
  else if (what === "plan") look();
}

own.addEventListener("click", event => {
  const from = event.target.closest("button[data-do]");
  if (from) choose(from);
});
own.addEventListener("change", event => {
  const from = event.target.closest("[data-do]");
  if (from) choose(from, { value: from.value });
});
// Discord asks where to send the link; who follows it comes to this table. It needs no scope.
share.addEventListener("click", () => tell("SHARE_LINK", { custom_id: tables.value, message: places.get("said").textContent.trim() || words.share }).catch(() => {}));
tables.addEventListener("change", async () => {
  const found = await call("choose", { do: "table", channel: tables.value, once: String(++choices) });
  if (found.status !== 200) return fill(advice, found.refused ?? words.waiting);
  const picked = tables.value;
  begin(found);
  tables.value = picked;
});

tick();
say("waiting", "");
shake();
patiently(isReady).then(() => {
  fill(places.get("said"), words.asks);
  join();
});
