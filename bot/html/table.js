// Hears by an event stream what happens at the table of a link.

let last = words.frame, stream, heard = performance.now(), ended = false;

function live() {
  heard = performance.now();
  if (state.className) say("", words.live);
}

function listen() {
  stream?.close();
  heard = performance.now();
  stream = new EventSource(`${location.pathname.replace(/\/$/, "")}/live?after=${encodeURIComponent(last)}`);
  stream.addEventListener("open", live);
  stream.addEventListener("beat", live);
  stream.addEventListener("message", event => {
    live();
    last = event.lastEventId;
    show(JSON.parse(event.data));
  });
  stream.addEventListener("over", () => end(words.over));
  stream.addEventListener("crowded", () => {
    stream.close();
    say("waiting", words.crowded);
    setTimeout(listen, LATER);
  });
  stream.addEventListener("error", () => {
    if (ended) return;
    say("waiting", words.waiting);
    stream.close();
    setTimeout(ask, AGAIN);
  });
}

// The stream broke: does the link still hold? Only the bot itself says that it does not; a proxy may say anything else.
async function ask() {
  try {
    const found = await fetch(location.pathname, { method: "HEAD", cache: "no-store", referrerPolicy: "no-referrer" });
    if (found.status === 404 && found.headers.get("X-Table") === "none") return end(words.over);
    if (found.ok) return listen();
  } catch { /* nobody is there yet */ }
  setTimeout(ask, AGAIN);
}

function end(text) {
  ended = true;
  stream.close();
  say("over", text);
}

setInterval(() => {
  if (!ended && stream.readyState === EventSource.OPEN && performance.now() - heard > PATIENCE) {
    say("waiting", words.waiting);
    listen();
  }
}, 5_000);

tick();
listen();
