"use strict";
// Stands in for Discord: shakes hands with each frame, and says to each who looks, as somebody who agrees.

const HANDSHAKE = 0, FRAME = 1;
const frames = [...document.querySelectorAll("iframe")];

addEventListener("message", event => {
  const frame = frames.find(one => one.contentWindow === event.source);
  if (!frame || event.origin !== location.origin || !Array.isArray(event.data)) return;
  const [kind, said] = event.data, answer = told => event.source.postMessage([FRAME, told], event.origin);
  if (kind === HANDSHAKE) return answer({ cmd: "DISPATCH", evt: "READY", nonce: null, data: { v: 1, config: {} } });
  if (kind !== FRAME) return;
  const { cmd, nonce } = said;
  if (cmd !== "AUTHORIZE") return answer({ cmd, nonce, evt: "ERROR", data: { code: 4000, message: "not here" } });
  answer({ cmd, nonce, evt: null, data: { code: `${frame.dataset.person}-${crypto.randomUUID()}` } });
});
