import type { Injected, Kind } from "./injections.js";
import type { RunResult } from "./run.js";

/** 127_400 is "127.4". */
export const secondsOf = (ms: number): string => (ms / 1_000).toFixed(1);
const count = (number: number) => number.toLocaleString("en");

/** docs/benchmarks/payout-faults.md of a run. */
export function markdownOf(result: RunResult, { command, machine }: { command: string; machine: string }): string {
  const { clients, injected, disturbedMs, settledMs, failures, attempts, wallet, books, invariants } = result;
  const acknowledged = attempts.filter(({ paymentId }) => paymentId !== undefined).length;
  return [
    "# Payouts among faults",
    "",
    `Written by \`${command}\` on ${machine}. ${clients} clients create, pay and sometimes cancel through the gateway of a built`,
    "cluster on mongod and Redis of its own, and in between move money of their wallets in every way there is, while a cashier keeps a till, with a proxy (`test/support/fault-proxy.ts`) on every way from one process to another. Services are",
    "killed with -9 in turn, mongod is killed and restarted, Redis emptied and stopped, and each way gets latency, resets, no answer and",
    "half answers, while the sandbox partner refuses, hangs, loses answers and sends money back. Afterwards remittance, wallet, ledger,",
    "compliance and the partner's own file (payouts, bank transfers, cards) are compared one to one, and with what the clients were told.",
    "",
    table(
      ["figure", ""],
      [
        ["payments acknowledged", count(acknowledged)],
        ["transactions created", count(books.transactions.length)],
        ["moves of wallets acknowledged", count(wallet.moves.length)],
        ["ledger transfers", count(books.transfers.length)],
        ["disturbed for", `${secondsOf(disturbedMs)} s`],
        ["faults", count(injected.length)],
        ["requests without an answer, sent again", count(failures)],
        ["everything at its end, after the last fault", `${secondsOf(settledMs)} s (promised: 60 s)`],
      ],
    ),
    "",
    "![Faults and final states over time](payout-faults.svg)",
    "",
    "## What had to hold",
    "",
    table(
      ["invariant", "looked at", "broken"],
      invariants.map(({ what, checked, broken }) => [what, count(checked), count(broken.length)]),
    ),
    "",
    "## How they ended",
    "",
    table(["state", "transactions"], tally(books.transactions.map(({ status }) => status))),
    "",
    table(["move of a wallet", "acknowledged"], tally(wallet.moves.map(({ kind }) => kind))),
    "",
    "## What was done to the cluster",
    "",
    table(["fault", "victim", "times"], faultRows(injected)),
    "",
  ].join("\n");
}

function faultRows(injected: readonly Injected[]): [string, string, string][] {
  const isHop = ({ victim }: Injected) => victim.includes("→");
  const named = injected.filter((one) => !isHop(one)).map(({ kind, victim }) => `${kind}|${victim}`);
  const onHops = Map.groupBy(injected.filter(isHop), ({ kind }) => kind);
  return [
    ...tally(named).map(([name, times]): [string, string, string] => {
      const [kind = "", victim = ""] = name.split("|");
      return [kind, victim, times];
    }),
    ...[...onHops].map(([kind, all]): [string, string, string] => [
      kind,
      `${new Set(all.map(({ victim }) => victim)).size} ways between processes`,
      count(all.length),
    ]),
  ];
}

function tally(names: readonly string[]): [string, string][] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, all]): [string, number] => [name, all.length])
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, number]) => [name, count(number)]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const lanes: readonly Kind[] = ["kill", "mongod", "Redis", "latency", "reset", "no answer", "half answer"];
const laneColours: Record<Kind, string> = {
  kill: "#b91c1c",
  mongod: "#7c2d12",
  Redis: "#9d174d",
  latency: "#d97706",
  reset: "#ea580c",
  "no answer": "#4b5563",
  "half answer": "#7c3aed",
};
const lineColours: Record<string, string> = {
  paid: "#2563eb",
  COMPLETED: "#059669",
  REFUNDED: "#d97706",
  CANCELLED: "#6b7280",
};
const width = 960;
const left = 100;
const right = 90;
const laneHeight = 18;
const lanesTop = 56;
const chartTop = lanesTop + lanes.length * laneHeight + 24;
const chartHeight = 220;
const height = chartTop + chartHeight + 44;

/**
 * Above: each fault as a bar on its line. Below: payments acknowledged, and transactions at their
 * ends, over time.
 */
export function timelineOf(result: RunResult, caption: string): string {
  const { startedAtMs, injected, disturbedMs, settledMs } = result;
  const lastMs = disturbedMs + settledMs;
  const x = (ms: number) => left + (Math.min(ms, lastMs) / lastMs) * (width - left - right);
  const series = seriesOf(result);
  const most = Math.max(1, ...series.map(({ atMs }) => atMs.length));
  const y = (number: number) => chartTop + chartHeight - (number / most) * chartHeight;
  const parts: string[] = [];
  for (const [index, kind] of lanes.entries()) {
    const at = lanesTop + index * laneHeight;
    parts.push(text(left - 8, at + 11, kind, "end"));
    parts.push(`<line x1="${left}" y1="${at + 8}" x2="${width - right}" y2="${at + 8}" stroke="#f3f4f6"/>`);
    for (const { victim, fromMs, toMs } of injected.filter((one) => one.kind === kind)) {
      const from = x(fromMs - startedAtMs);
      const bar = Math.max(2, x(toMs - startedAtMs) - from).toFixed(1);
      const title = `<title>${escaped(`${kind} ${victim}`)}</title>`;
      parts.push(
        `<rect x="${from.toFixed(1)}" y="${at + 2}" width="${bar}" height="12" rx="1" fill="${laneColours[kind]}" opacity="0.8">${title}</rect>`,
      );
    }
  }
  for (let tick = 0; tick <= lastMs; tick += stepOf(lastMs)) {
    const at = x(tick).toFixed(1);
    parts.push(`<line x1="${at}" y1="${lanesTop}" x2="${at}" y2="${chartTop + chartHeight}" stroke="#e5e7eb"/>`);
    parts.push(text(Number(at), chartTop + chartHeight + 18, `${tick / 1_000} s`, "middle"));
  }
  const end = x(disturbedMs).toFixed(1);
  parts.push(
    `<line x1="${end}" y1="${lanesTop}" x2="${end}" y2="${chartTop + chartHeight}" stroke="#111827" stroke-dasharray="4 3"/>`,
  );
  parts.push(text(Number(end) - 4, chartTop - 6, "last fault", "end"));
  parts.push(text(left - 8, y(most) + 10, count(most), "end"), text(left - 8, y(0), "0", "end"));
  for (const { name, atMs } of series) {
    const points = atMs.map((ms, index) => `${x(ms).toFixed(1)},${y(index + 1).toFixed(1)}`);
    const path = [`${left},${y(0)}`, ...points, `${x(lastMs)},${y(atMs.length)}`].join(" ");
    parts.push(`<polyline points="${path}" fill="none" stroke="${lineColours[name]}" stroke-width="2"/>`);
  }
  parts.push(...labelsOf(series, y));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="22" font-size="15" font-weight="600" fill="#111827">Payouts among faults</text>`,
    text(16, 40, caption, "start"),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

interface Series {
  readonly name: string;
  /** When each one happened, ms since the start, in order. */
  readonly atMs: readonly number[];
}

function seriesOf({ attempts, startedAtMs, books }: RunResult): Series[] {
  const wallStart = Date.now() - (performance.now() - startedAtMs);
  const paid = attempts.flatMap(({ paidAtMs }) => (paidAtMs === undefined ? [] : [paidAtMs - startedAtMs]));
  const ended = (status: string) =>
    books.transactions
      .filter((one) => one.status === status)
      .map(({ timeline }) => timeline.at(-1)!.at.getTime() - wallStart);
  const named = (name: string, atMs: number[]): Series => ({ name, atMs: atMs.toSorted((a, b) => a - b) });
  return [named("paid", paid), ...["COMPLETED", "REFUNDED", "CANCELLED"].map((status) => named(status, ended(status)))];
}

/** One under the other where lines end close to each other. */
function labelsOf(series: readonly Series[], y: (number: number) => number): string[] {
  let lowest = -Infinity;
  return series
    .toSorted((a, b) => b.atMs.length - a.atMs.length)
    .map(({ name, atMs }) => {
      lowest = Math.max(y(atMs.length) + 4, lowest + 13);
      const label = `${name === "paid" ? "paid" : name.toLowerCase()} ${count(atMs.length)}`;
      return text(width - right + 5, lowest, label, "start", lineColours[name]);
    });
}

function stepOf(lastMs: number): number {
  return [5_000, 10_000, 20_000, 30_000, 60_000, 120_000].find((step) => lastMs / step <= 12) ?? 300_000;
}

function text(x: number, y: number, content: string, anchor: string, colour = "#374151"): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
