import type { Injected } from "./injections.js";
import type { RunResult } from "./run.js";

/** 127_400 is "127.4". */
export const secondsOf = (ms: number): string => (ms / 1_000).toFixed(1);
const count = (number: number) => number.toLocaleString("en");

/** What a run prints. */
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
