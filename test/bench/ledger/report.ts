import { median, type Sample } from "./measure.js";
import type { Samples } from "./contenders.js";

/** What of one contender is how much of what of another, at most or at least. */
interface Target {
  readonly what: string;
  readonly of: readonly [string, string];
  readonly figure?: keyof Sample;
  readonly least?: number;
  readonly most?: number;
}

const targets: readonly Target[] = [
  { what: "(c) of (b), many accounts", of: ["c many", "b many"], least: 0.6 },
  { what: "(c) of (a), many accounts", of: ["c many", "a many"], least: 4 },
  { what: "(c) hot of (c) many", of: ["c hot", "c many"], least: 0.9 },
  { what: "(d) of (a), many accounts", of: ["d many", "a many"], least: 2 },
  { what: "(d) of (a), one hot account", of: ["d hot", "a hot"], least: 50 },
  { what: "(e) of (c), many accounts", of: ["e many", "c many"], least: 1 },
  { what: "p50 of one client, (c) of (a)", of: ["c one", "a one"], figure: "p50Ms", most: 1.6 },
];

export interface TargetResult {
  readonly what: string;
  readonly value: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** Medians of the ratios of each round. Targets whose contenders were not run are left out. */
export function targetResults(samples: Samples): TargetResult[] {
  return targets.flatMap(({ what, of: [ours, theirs], figure = "transfersPerS", least, most }) => {
    const [mine, others] = [samples.get(ours) ?? [], samples.get(theirs) ?? []];
    if (mine.length === 0 || others.length === 0) return [];
    const value = median(mine.map((sample, round) => sample[figure] / others[round]![figure]));
    const isMet = least === undefined ? value <= most! : value >= least;
    return [{ what, value: value.toFixed(2), target: least === undefined ? `≤ ${most}` : `≥ ${least}`, isMet }];
  });
}

export const names: Readonly<Record<string, string>> = {
  a: "(a) driver, a transaction per transfer",
  b: "(b) bare group commit by the driver",
  c: "(c) ours, in process",
  d: "(d) ours, by gRPC, as services call it",
  f: "(f) ours, by gRPC, a call for each",
  e: "(e) ours, gRPC, bulks of 1,000",
};

/** Medians over the rounds. */
export function medians(samples: readonly Sample[]): Sample {
  const of = (figure: keyof Sample) => median(samples.map((sample) => sample[figure]));
  return {
    transfersPerS: of("transfersPerS"),
    p50Ms: of("p50Ms"),
    p99Ms: of("p99Ms"),
    ledgerCpuUs: of("ledgerCpuUs"),
    mongodCpuUs: of("mongodCpuUs"),
    clientCpuUs: of("clientCpuUs"),
  };
}

const loads: Readonly<Record<string, string>> = {
  many: "64, many accounts",
  hot: "64, one hot account",
  one: "1, many accounts",
};

export interface Report {
  readonly machine: string;
  readonly command: string;
  readonly rounds: number;
  readonly samples: Samples;
}

/** docs/benchmarks/ledger.md; what stands below the line of dashes is written by hand and kept. */
export function markdownOf({ machine, command, rounds, samples }: Report, notes: string): string {
  const rows = [...samples].map(([name, list]) => {
    const [letter = "", load = ""] = name.split(" ");
    const { transfersPerS, p50Ms, p99Ms, ledgerCpuUs, mongodCpuUs, clientCpuUs } = medians(list);
    const calls = letter === "e" ? loads[load]?.replace("64", "4") : loads[load];
    const figures = [
      Math.round(transfersPerS).toLocaleString("en"),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      Math.round(ledgerCpuUs),
      Math.round(mongodCpuUs),
      clientCpuUs === 0 ? "" : Math.round(clientCpuUs),
    ];
    return [names[letter] ?? letter, calls ?? load, ...figures];
  });
  return [
    "# The ledger",
    "",
    `Written by \`${command}\` on ${machine}. Contenders take turns, ${rounds} rounds; figures are medians of the rounds, ratios`,
    "medians of each round's ratio: on a machine that does other work too, the ratios count and the figures do not. mongod is one member",
    "with journal, `w: majority`, `j: true`, 0.25 GB of cache; load, ledger and mongod share the processors. (a) and (b) write the same",
    "documents into the same indexes as the ledger, without keys, rules, chain or head. (d) is the client that services use",
    "(`services/platform/neighbours/posting-batches.ts`): what one process posts while calls are under way goes out together with the next; (f) is without it.",
    "",
    resultTable(targetResults(samples)),
    "",
    "What depends on size is in [ledger-size.md](ledger-size.md).",
    "",
    "![Transfers per second](ledger.svg)",
    "",
    table(
      ["contender", "clients", "transfers/s", "p50 ms", "p99 ms", "CPU µs ledger", "CPU µs mongod", "CPU µs client"],
      rows,
    ),
    "",
    "CPU is per transfer. In process, the ledger's is that of the whole benchmark; by gRPC it is that of the ledger's process, and the client's",
    "that of the load.",
    "",
    marker,
    notes,
  ].join("\n");
}

/** docs/benchmarks/ledger-size.md. */
export function sizeMarkdownOf(
  large: readonly TargetResult[],
  { machine, command }: Pick<Report, "machine" | "command">,
): string {
  return [
    "# The ledger: what depends on size",
    "",
    `Written by \`${command}\` on ${machine}, in one run. Posting is compared in turns, 64 clients, in process, both after a new owner's`,
    "doubts about keys are over; reads go by gRPC to the built ledger, 1,000 of each after 100 that warm up; memory is that of the built",
    "ledger under 30 s of postings, one by one and in bulks, over all of its accounts. mongod has 0.25 GB of cache.",
    "",
    resultTable(large),
    "",
  ].join("\n");
}

function resultTable(all: readonly TargetResult[]): string {
  const rows = all.map(({ what, value, target, isMet }) => [what, value, target, isMet ? "yes" : "no"]);
  return table(["measure", "value", "target", "met"], rows);
}

export const marker = "<!-- Below this line nothing is overwritten. -->";

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
