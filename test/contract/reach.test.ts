import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changes } from "../reach/changes.js";

const edits = changes.flatMap(({ name, edits: own }) => own.map((edit) => ({ name, ...edit })));

test.each(edits)("what $name begins with in $file is there", ({ file, anchor }) => {
  expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8")).toContain(anchor);
});
