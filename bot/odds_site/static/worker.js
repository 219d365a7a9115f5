// Runs the bot's own Python. One message in, a question; one out, its answer. Both are JSON.

import createModule from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL("./", import.meta.url), english = new URL(import.meta.url).searchParams.get("language") === "en";
const packs = english ? ["rollcall.zip"] : ["rollcall.zip", "languages.zip"];
const indexURL = new URL("pyodide/", here).href;

export const loading = (async () => {
  const [python, ...code] = await Promise.all([
    begin(),
    ...packs.map(async name => (await fetch(new URL(name, here))).arrayBuffer()),
  ]);
  for (const pack of code) python.unpackArchive(pack, "zip");  // modules and data that nothing has needed yet
  return python.pyimport("bot.odds_site.answers");
})();

// Python as the build left it, with everything imported (bot/odds_site/memory.mjs); or from its beginning, which takes longer.
async function begin() {
  try {
    const { body } = await fetch(new URL("memory.bin", here));
    const memory = new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    const createPyodideModule = async settings => {
      const module = await createModule(settings);
      module._emscripten_resize_heap(memory.length);
      return module;
    };
    return await loadPyodide({ indexURL, createPyodideModule, _loadSnapshot: memory });
  } catch (error) {
    console.warn(error);
    return loadPyodide({ indexURL });
  }
}

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
