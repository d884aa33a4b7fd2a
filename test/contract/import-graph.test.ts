import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { doors } from "./room-doors.js";

const root = join(__dirname, "../..");

/** Of which files, or rooms, each takes values: types are gone when a process starts. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const statement = /^(?:import|export)\s+(type\s+)?([^;"]*?)\s*(?:from\s+)?"(\.[^"]+)";/gm;

/** Relative imports of a source of which a value is left when its types are gone. */
function valueImportsOf(text: string): string[] {
  return [...text.matchAll(statement)]
    .filter(([, isType, names = ""]) => isType === undefined && !hasTypesAlone(names))
    .map(([, , , from]) => from!);
}

function hasTypesAlone(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1]?.split(",") ?? [];
  const named = inner.map((name) => name.trim()).filter((name) => name !== "");
  return named.length > 0 && named.every((name) => name.startsWith("type "));
}

/** Of all relative imports of a source, those of types too. */
const allImportsOf = (text: string): string[] => [...text.matchAll(statement)].map(([, , , from]) => from!);

function graphOf(folders: readonly string[], importsOf = valueImportsOf): Graph {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const sources = listed.split("\n").filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".test.ts"));
  const all = new Set(sources.filter((path) => existsSync(join(root, path))));
  const targetOf = (path: string, from: string) => {
    const stem = join(path, "..", from).replace(/\.[jt]sx?$/, "");
    return [`${stem}.ts`, `${stem}.tsx`, `${stem}/index.ts`].find((one) => all.has(one));
  };
  const targetsOf = (path: string) =>
    importsOf(readFileSync(join(root, path), "utf8")).map((from) => targetOf(path, from));
  return new Map([...all].map((path) => [path, new Set(targetsOf(path).filter((one) => one !== undefined))]));
}

/** The graph of what files belong to; what a file takes of its own group is left out. */
function grouped(graph: Graph, groupOf: (path: string) => string): Graph {
  const groups = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const group = groupOf(path);
    const others = [...targets].map(groupOf).filter((other) => other !== group);
    groups.set(group, (groups.get(group) ?? new Set()).union(new Set(others)));
  }
  return groups;
}

/**
 * What is left when, again and again, all that takes nothing more is put away:
 * each in a circle, or above one.
 */
function circlesOf(graph: Graph): string[] {
  const left = new Map([...graph].map(([node, targets]) => [node, new Set(targets)]));
  for (let done = [...left.keys()].filter(isFree); done.length > 0; done = [...left.keys()].filter(isFree))
    for (const node of done) left.delete(node);
  const isTaken = (node: string) => [...left.values()].some((targets) => targets.has(node));
  for (let above = [...left.keys()].filter((node) => !isTaken(node)); above.length > 0;) {
    for (const node of above) left.delete(node);
    above = [...left.keys()].filter((node) => !isTaken(node));
  }
  return [...left.keys()].toSorted();

  function isFree(node: string): boolean {
    return [...left.get(node)!].every((target) => !left.has(target));
  }
}

/** The floor that a file stands on; it takes values of its own floor and of lower ones. */
const floors = [
  /^proto\/|^sdk\/src\//,
  /^services\/kernel\//,
  /^services\/platform\//,
  /^services\//,
  /^gateway\/|^sdk\//,
  /^deploy\/|^console\//,
];

const floorOf = (path: string) => floors.findIndex((floor) => floor.test(path));

/**
 * Rooms of kernel, platform and compliance; a loose file is a room of its own,
 * and so is all of another service.
 */
const roomOf = (path: string) =>
  /^services\/(?:(?:kernel|platform)\/[^/]+|compliance\/(?:common|lists|screening|decisions|cases)(?=\/)|\w+)/.exec(
    path,
  )![0];

const areas = ["services", "gateway", "sdk", "deploy", "console"];
const graph = graphOf(areas);

test("the graph has the imports of every area", () => {
  const edges = Map.groupBy(graph, ([path]) => path.split("/")[0]);
  for (const [, files] of edges)
    expect(files.flatMap(([, targets]) => [...targets]).length).toBeGreaterThan(files.length);
  expect([...edges.keys()].toSorted()).toEqual(["console", "deploy", "gateway", "sdk", "services"]);
});

test("no file takes a value of another that takes one of it, by any way", () => {
  expect(circlesOf(graph)).toEqual([]);
});

test("no file takes a value of a higher floor", () => {
  const up = [...graph].flatMap(([path, targets]) =>
    [...targets].filter((target) => floorOf(target) > floorOf(path)).map((target) => `${path} <- ${target}`),
  );
  expect(up).toEqual([]);
});

test("rooms of services stand one above the other", () => {
  const services = new Map([...graph].filter(([path]) => path.startsWith("services/")));
  expect(circlesOf(grouped(services, roomOf))).toEqual([]);
});

const withDoors = (path: string) => Object.keys(doors).find((room) => path.startsWith(`${room}/`));

/** Compliance's own wiring puts its rooms together. */
const isWiring = (path: string) => /^services\/compliance\/(?:server\.ts|(?:handlers|jobs|clients|store)\/)/.test(path);

/** Who enters a room from outside by which of its files, types included. */
const entries = [...graphOf(areas, allImportsOf)].flatMap(([path, targets]) =>
  [...targets].flatMap((target) => {
    const room = withDoors(target);
    if (room === undefined || room === withDoors(path)) return [];
    if (room.startsWith("services/compliance/") && isWiring(path)) return [];
    return [{ path, room, file: target.slice(room.length + 1).replace(/\.ts$/, "") }];
  }),
);

test("a room is entered by its doors alone", () => {
  const others = entries.filter(({ room, file }) => !doors[room]!.includes(file));
  expect(others.map(({ path, room, file }) => `${path} <- ${room}/${file}`)).toEqual([]);
});

test("each room has doors, and each door is used", () => {
  const used = new Set(entries.map(({ room, file }) => `${room}/${file}`));
  const named = Object.entries(doors).flatMap(([room, files]) => files.map((file) => `${room}/${file}`));
  expect(named.filter((door) => !used.has(door))).toEqual([]);
  const rooms = [...graph.keys()].map(
    (path) =>
      /^services\/(?:(?:kernel|platform)\/[^/]+(?=\/)|compliance\/(?:lists|screening|decisions|cases)(?=\/))/.exec(
        path,
      )?.[0],
  );
  expect([...new Set(rooms)].filter((room) => room !== undefined && doors[room] === undefined)).toEqual([]);
});

test("a circle is found, without what stands above or below it", () => {
  const edges = { a: ["b"], b: ["c"], c: ["d", "e"], d: ["b"], e: [] };
  const circle = new Map(Object.entries(edges).map(([node, targets]) => [node, new Set(targets)]));
  expect(circlesOf(circle)).toEqual(["b", "c", "d"]);
});

test("an import of types alone is none of a value", () => {
  const text = [
    'import type { A } from "./a.js";',
    'import { type B, type C } from "./b.js";',
    'import {\n  type D,\n  e,\n} from "./d.js";',
    'import "./f.js";',
    'export { g } from "./g.js";',
    'export type { H } from "./h.js";',
    'import { i } from "elsewhere";',
  ].join("\n");
  expect(valueImportsOf(text)).toEqual(["./d.js", "./f.js", "./g.js"]);
});
