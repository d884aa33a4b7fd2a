// `npm run chart:docs`: writes the table of values into the chart's README from the
// `# --` comments of values.yaml. With
// --check it only checks the table, as a test does.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMap, isScalar, parseDocument } from "yaml";
import { root } from "../steps.mjs";

const chart = join(root, "charts", "manilla");
const begin = "<!-- values: written by `npm run chart:docs` -->";
const end = "<!-- end of values -->";

/** The README as it should be, and as it is. Throws where a value has no line about it. */
export function readme() {
  const file = join(chart, "README.md");
  const actual = readFileSync(file, "utf8");
  const [head, rest] = actual.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`${file} lacks the marks of the table of values`);
  return { file, actual, expected: `${head}${begin}\n\n${table()}\n\n${end}${tail}` };
}

function table() {
  const document = parseDocument(readFileSync(join(chart, "values.yaml"), "utf8"));
  const rows = [
    ["Value", "Default", "What it is"],
    ["---", "---", "---"],
  ];
  collect(document.contents, "", rows);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column], row === rows[1] ? "-" : " ")).join(" | ")} |`;
  return rows.map(line).join("\n");
}

function collect(map, path, rows) {
  const undescribed = [];
  map.items.forEach(({ key, value }, index) => {
    const name = path === "" ? key.value : `${path}.${key.value}`;
    // The comment above the first item of a map belongs, for the parser, to the map.
    const comment = index === 0 ? [map.commentBefore, key.commentBefore].filter(Boolean).join("\n") : key.commentBefore;
    const about = /(?:^|\n)\s*--\s*([^]*)$/
      .exec(comment ?? "")?.[1]
      ?.replaceAll(/\s*\n\s*/g, " ")
      .trim();
    // One row per process; the README's text describes them.
    if (path === "services")
      rows.push([
        `\`${name}\``,
        "",
        `Row of a process: ${Object.keys(value.toJSON())
          .map((one) => `\`${one}\``)
          .join(", ")}`,
      ]);
    else if (about !== undefined) rows.push([`\`${name}\``, defaultOf(value), about.replaceAll("|", "\\|")]);
    else if (isMap(value) && value.items.length > 0) collect(value, name, rows);
    else undescribed.push(name);
  });
  if (undescribed.length > 0) throw new Error(`values.yaml says nothing about ${undescribed.join(", ")}`);
}

function defaultOf(value) {
  if (isScalar(value) && value.value === "") return "";
  return `\`${JSON.stringify(value.toJSON())}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { file, actual, expected } = readme();
  if (process.argv.includes("--check")) {
    if (actual !== expected) {
      console.error(`${file} is not true any more: npm run chart:docs`);
      process.exitCode = 1;
    }
  } else writeFileSync(file, expected);
}
