// Keeps every file of the page, so that it works without a network after the first visit, also below a path.

const HERE = new URL("./", location.href);

async function list() {
  const { version, files } = await (await fetch(new URL("files.json", HERE), { cache: "no-store" })).json();
  return { name: `rollcall-${version}`, files: files.filter(one => one !== "offline.js") };
}

addEventListener("install", event => event.waitUntil((async () => {
  const { name, files } = await list();
  const kept = await caches.open(name);
  await kept.addAll([HERE.href, ...files.map(one => new URL(one, HERE).href)]);
  for (const other of await caches.keys()) if (other.startsWith("rollcall-") && other !== name) await caches.delete(other);
  await skipWaiting();
})()));
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("fetch", event => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(HERE.href)) return;
  event.respondWith((async () => (await caches.match(event.request, { ignoreSearch: true })) ?? fetch(event.request))());
});
