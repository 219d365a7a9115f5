// Runs the bot's own Python. One message in, a question; one out, its answer. Both are JSON.

import { loadPyodide } from "./pyodide/pyodide.mjs";

export const loading = (async () => {
  const here = new URL("./", import.meta.url), english = new URL(import.meta.url).searchParams.get("language") === "en";
  const packs = english ? ["rollcall.zip"] : ["rollcall.zip", "languages.zip"];
  const [python, ...code] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", here).href }),
    ...packs.map(async name => (await fetch(new URL(name, here))).arrayBuffer()),
  ]);
  for (const pack of code) python.unpackArchive(pack, "zip");
  return python.pyimport("bot.odds_site.answers");
})();

loading.then(() => postMessage({ ready: true }), error => {
  console.error(error);
  postMessage({ broken: true });
});
addEventListener("message", async ({ data }) => {
  const answers = await loading;
  if (data.files) return answers.keep_files(data.files);
  try {
    postMessage({ id: data.id, text: answers.answer(data.text) });
  } catch (error) {
    console.error(error);
    postMessage({ id: data.id, failed: true });
  }
});
