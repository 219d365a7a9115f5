// node memory.mjs FOLDER: writes the memory of a Python that has imported all and answered each form's example, so that
// worker.js begins where this ends. To start Python and import the bot takes ten seconds; to load this takes one.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
const { loadPyodide } = await import(join(folder, "pyodide", "pyodide.mjs"));
const python = await loadPyodide({ indexURL: join(folder, "pyodide"), _makeSnapshot: true });
for (const pack of ["rollcall.zip", "languages.zip"]) python.unpackArchive(Uint8Array.from(await readFile(join(folder, pack))), "zip");
python.runPython(`
import gc, json
from bot.odds_site import answers

for key, form in answers.FORMS.items():
    answers.answer(json.dumps({"game": key, "asks": [form.example]}))
gc.collect()
`);
await writeFile(join(folder, "memory.bin"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
