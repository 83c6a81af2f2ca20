// Generates src/generated/wire.ts from the pydantic models; `PYTHON` names the interpreter that can import the package.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here("../..");
const schema = execFileSync(process.env.PYTHON ?? "python3", [here("schema.py")], {
  cwd: root,
  env: { ...process.env, PYTHONPATH: root },
  maxBuffer: 64e6,
});
const types = await compile(JSON.parse(schema), "Wire", {
  bannerComment: "// Generated from the Python models by `npm run types`: do not edit.",
  printWidth: 120,
});
writeFileSync(here("../src/generated/wire.ts"), types);
