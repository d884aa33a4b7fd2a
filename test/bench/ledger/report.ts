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

/** A row a contender and load: what one transfer takes, medians of the rounds. */
export function mediansTable(samples: Samples): string {
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
  return table(
    ["contender", "clients", "transfers/s", "p50 ms", "p99 ms", "CPU µs ledger", "CPU µs mongod", "CPU µs client"],
    rows,
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
