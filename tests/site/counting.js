// Counts declarations in the browser as `python -m bot odds GAME --json` does in a terminal.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const CODE = `
import json
from bot.games import by_terminal

def count(game, raw):
    one = by_terminal()[game]
    return one.odds(one.rules.declare(raw))

def run(text):
    return json.dumps([count(*one) for one in json.loads(text)], default=str)
run
`;
addEventListener("message", async ({ data }) => {
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  const code = await (await fetch(new URL("rollcall.zip", import.meta.url))).arrayBuffer();
  python.unpackArchive(code, "zip");
  postMessage(python.runPython(CODE)(data));
});
