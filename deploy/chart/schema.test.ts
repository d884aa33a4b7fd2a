import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { parse } from "yaml";
import { projectRoot } from "../local/project.js";

type Map = Record<string, unknown>;

const chart = join(projectRoot(), "charts", "manilla");
const read = (...path: string[]) => readFileSync(join(chart, ...path), "utf8");
const values = parse(read("values.yaml")) as Map;
const validate = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(read("values.schema.json")) as object);

/** Faults of values, each with where it is and, for what is not known, its name. */
function faultsOf(given: Map): string[] {
  if (validate(given)) return [];
  return (validate.errors as ErrorObject[]).map(
    ({ instancePath, params }) => `${instancePath}/${String(params["additionalProperty"] ?? "")}`,
  );
}

const isMap = (value: unknown): value is Map => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every map of the values by its path. */
function mapsOf(value: Map, path: readonly string[] = []): string[][] {
  const inner = Object.entries(value).flatMap(([key, child]) => (isMap(child) ? mapsOf(child, [...path, key]) : []));
  return [[...path], ...inner];
}

// Names are anybody's here: labels, annotations, variables, files, and rows of processes.
const free = new Set([
  "env",
  "keyFiles",
  "labels",
  "annotations",
  "podLabels",
  "podAnnotations",
  "podSecurityContext",
  "commonLabels",
  "nodeSelector",
  "affinity",
]);
const isFree = (path: readonly string[]) => {
  const last = path.at(-1) ?? "";
  return (
    free.has(last) ||
    last === "serviceAccountAnnotations" ||
    ["requests", "limits"].includes(last) ||
    path.join() === "services"
  );
};

/** The values with one more key in the map at `path`. */
function withKey(path: readonly string[], key: string): Map {
  const copy = structuredClone(values);
  let target = copy;
  for (const step of path) target = target[step] as Map;
  target[key] = "x";
  return copy;
}

test("the chart's own values and every example keep to the schema", () => {
  expect(faultsOf(values)).toEqual([]);
  for (const file of readdirSync(join(chart, "examples"))) {
    expect({ file, faults: faultsOf(parse(read("examples", file)) as Map) }).toEqual({ file, faults: [] });
  }
});

test("a key that is misspelt is refused by its name, wherever it stands", () => {
  const places = mapsOf(values).filter((path) => !isFree(path));
  expect(places.length).toBeGreaterThan(40);
  for (const path of places) {
    const where = path.map((step) => `/${step}`).join("");
    const faults = faultsOf(withKey(path, "misspelt"));
    expect({ where, isNamed: faults.some((fault) => fault.startsWith(`${where}/misspelt`)) }).toEqual({
      where,
      isNamed: true,
    });
  }
});

test("a value of another type is refused where it stands", () => {
  const leaves = mapsOf(values).flatMap((path) => {
    const map = path.reduce<Map>((found, step) => found[step] as Map, values);
    return Object.entries(map)
      .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
      .map(([key]) => [...path, key]);
  });
  expect(leaves.length).toBeGreaterThan(100);
  for (const leaf of leaves) {
    const copy = structuredClone(values);
    const map = leaf.slice(0, -1).reduce<Map>((found, step) => found[step] as Map, copy);
    map[leaf.at(-1) ?? ""] = { not: "this" };
    expect({ leaf, isRefused: faultsOf(copy).some((fault) => fault.startsWith(["", ...leaf].join("/"))) }).toEqual({
      leaf,
      isRefused: true,
    });
  }
});
