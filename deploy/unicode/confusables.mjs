// `npm run confusables -- FILE`: writes Unicode's confusables.txt
// (https://www.unicode.org/Public/security/latest/) as the data that names are compared with.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

const longestLine = 235;
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file: npm run confusables -- confusables.txt");
const text = readFileSync(file, "utf8");
const version = /^# Version: (\S+)/m.exec(text)?.[1];
const total = Number(/^# total: (\d+)/m.exec(text)?.[1]);
const byPrototype = new Map();
const hex = (codes) => codes.split(" ").map((code) => Number.parseInt(code, 16).toString(16));
for (const [, source, prototype] of text.matchAll(/^\uFEFF?([0-9A-F]+)\s*;\s*([0-9A-F]+(?: [0-9A-F]+)*)\s*;/gm)) {
  const to = hex(prototype).join(" ");
  byPrototype.set(to, [...(byPrototype.get(to) ?? []), ...hex(source)]);
}
const found = [...byPrototype.values()].flat().length;
if (version === undefined || found !== total) throw new Error(`${file} has ${found} rows and speaks of ${total}`);

const lines = [""];
for (const [to, from] of byPrototype) {
  const group = `${to}=${from.join(",")};`;
  if (lines.at(-1).length + group.length > longestLine) lines.push("");
  lines[lines.length - 1] += group;
}
writeFileSync(
  join(root, "services/kernel/names/confusables.ts"),
  `// Written by \`npm run confusables\`. © Unicode, Inc.; see NOTICE.

/** Of Unicode's confusables.txt. */
export const confusablesVersion = "${version}";

/** Every prototype, and what is drawn as it: code points in hexadecimal. */
export const confusables = \`
${lines.join("\n")}
\`;
`,
);
