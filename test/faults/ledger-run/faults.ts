import { noFault, type Fault } from "../../support/fault-proxy.js";
import type { LedgerProcess, LedgerProcesses } from "../../support/ledger-processes.js";
import { runsFor } from "../../support/time.js";

/** False where it did not happen. */
export type Breakage = readonly [name: string, work: () => Promise<unknown>];

/**
 * Each in turn: replicas and mongod killed, one that sleeps past its lease, deaths inside and just
 * after a commit, and what lies between replicas and before mongod cut, delayed and swallowed.
 */
export function breakagesOf(processes: LedgerProcesses): { first: Breakage[]; second: Breakage[] } {
  const [one, two] = processes.replicas;
  const pause = async () => {
    process.kill(one.child.pid, "SIGSTOP");
    // Longer than a lease: the other one takes over, and this one wakes up believing that it still
    // owns the journal.
    await runsFor(4_000);
    process.kill(one.child.pid, "SIGCONT");
  };
  /** The second replica takes over from the first and dies at the point; then both come back. */
  const crashAt = (point: string) => async () => {
    await two.child.kill();
    await two.start(`${point}:5`);
    await runsFor(1_000);
    await one.child.kill();
    await Promise.race([two.child.exited, runsFor(30_000)]);
    const crashed = !two.child.isRunning();
    await two.child.kill();
    await Promise.all([one.start(), two.start()]);
    return crashed;
  };
  const through = (hop: "replica" | "mongo", who: readonly LedgerProcess[], fault: Fault, ms: number) => async () => {
    for (const { proxies } of who) proxies![hop].set(fault);
    await runsFor(ms);
    for (const { proxies } of who) proxies![hop].set(noFault);
  };
  const both = processes.replicas;
  return {
    first: [
      ["ledger-1 killed", one.killAndRestart],
      ["ledger-2 crashed inside a transaction", crashAt("ledger.group.written")],
      ["what goes between replicas is swallowed", through("replica", both, { kind: "black-hole" }, 1_500)],
      ["mongod killed, and backed up", () => processes.backUpMongo()],
      ["answers of mongod to ledger-1 are cut", through("mongo", [one], { kind: "cut", afterBytes: 700 }, 1_000)],
      ["ledger-1 paused", pause],
      ["mongod and what is between replicas is slow", through("mongo", both, { kind: "latency", ms: 60 }, 1_000)],
    ],
    second: [
      ["both killed", () => Promise.all(both.map((replica) => replica.killAndRestart()))],
      ["mongod swallows what ledger-2 says", through("mongo", [two], { kind: "black-hole" }, 2_000)],
      ["answers between replicas are cut", through("replica", both, { kind: "cut", afterBytes: 200 }, 1_000)],
      ["ledger-2 crashed before its answer", crashAt("ledger.group.committed")],
      ["mongod is cut off from both", through("mongo", both, { kind: "reset" }, 500)],
      ["ledger-1 stopped", () => one.child.stop().then(() => one.start())],
    ],
  };
}
