import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, parseDocument, type YAMLMap } from "yaml";
import { projectRoot } from "../local/project.js";

/** Values that no `# --` comment describes; rows of processes are the README's to describe. */
function undescribedIn(text: string): string[] {
  const below = (map: YAMLMap, path: string): string[] =>
    map.items.flatMap(({ key, value }, index) => {
      const { value: own, commentBefore } = key as { value: string; commentBefore?: string };
      const name = path === "" ? own : `${path}.${own}`;
      // The comment above the first item of a map belongs, for the parser, to the map.
      const comments = [index === 0 ? map.commentBefore : undefined, commentBefore];
      if (name === "services" || comments.some((one) => /^\s*-- \S/m.test(one ?? ""))) return [];
      return isMap(value) && value.items.length > 0 ? below(value as YAMLMap, name) : [name];
    });
  const { contents } = parseDocument(text);
  return isMap(contents) ? below(contents as YAMLMap, "") : ["no values"];
}

test("every value of the chart has a line that says what it is", () => {
  expect(undescribedIn(readFileSync(join(projectRoot(), "charts", "manilla", "values.yaml"), "utf8"))).toEqual([]);
});

test.each([
  ["# -- What it is\na: 1\nb: 2\n", ["b"]],
  ["a:\n  # -- What it is\n  c: 1\n  # Why\n  d: {}\n", ["a.d"]],
  ["# -- What all of it is\na:\n  c: 1\nservices:\n  gateway: {}\n", []],
])("of %j these say nothing: %j", (text, names) => {
  expect(undescribedIn(text)).toEqual(names);
});
