/** A commit's subject line and the paths it changed. */
export interface Commit {
  subject: string;
  paths: readonly string[];
}

const title = "# Changelog\n";
const fixedGroups: Readonly<Record<string, string>> = {
  gateway: "gateway",
  console: "console",
  sdk: "client library",
  charts: "chart",
  deploy: "deployment and tools",
  docs: "documents",
};
const otherwise = "tests and build";
// What a change is about rather than what goes with it.
const companions = new Set([fixedGroups["docs"], otherwise]);

/**
 * One release's section: subjects by the part of the product that each changed most, parts in order
 * of their names, newest subject first. `day` is YYYY-MM-DD.
 */
export function sectionOf(version: string, day: string, commits: readonly Commit[]): string {
  const heading = `## ${version} (${day})\n`;
  if (commits.length === 0) return `${heading}\nThe first release.\n`;
  const groups = Map.groupBy(commits, ({ paths }) => groupOf(paths));
  const names = [...groups.keys()].toSorted(
    (a, b) => Number(companions.has(a)) - Number(companions.has(b)) || order(a, b),
  );
  const parts = names.map((name) => {
    const lines = (groups.get(name) ?? []).map(({ subject }) => `- ${escaped(subject)}\n`);
    return `\n### ${name}\n\n${lines.join("")}`;
  });
  return heading + parts.join("");
}

/** The changelog with `section` on top; a new one where there is none yet. */
export function withSection(changelog: string | undefined, section: string): string {
  const before = changelog?.startsWith(title) ? changelog.slice(title.length) : (changelog ?? "");
  return `${title}\n${section}${before.trim() === "" ? "" : `\n${before.trimStart()}`}`;
}

/** Whether the changelog has a section of this version. */
export function hasSection(changelog: string | undefined, version: string): boolean {
  return changelog?.split("\n").some((line) => line.startsWith(`## ${version} `)) ?? false;
}

function groupOf(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = groupOfPath(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const own = [...counts].filter(([name]) => !companions.has(name));
  const ranked = (own.length > 0 ? own : [...counts]).toSorted((a, b) => b[1] - a[1] || order(a[0], b[0]));
  return ranked[0]?.[0] ?? otherwise;
}

function groupOfPath(path: string): string {
  const [room = "", name = ""] = path.split("/");
  if (path.endsWith(".test.ts")) return otherwise;
  if (room === "services" && name !== "kernel" && name !== "platform") return name;
  if (room === "services") return "all services";
  if (room === "proto" && path.split("/").length > 2) return name;
  return fixedGroups[room] ?? otherwise;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A subject is text: what Markdown would take for markup is shown as it was written. */
function escaped(subject: string): string {
  return subject.replaceAll(/[\\*<[\]]/g, String.raw`\$&`);
}
