import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { declaredCrashPoints, killedAt } from "../support/crash-points.js";
import { atDepth } from "../support/depth.js";
import { readDemo } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { createWalletJobs, type WalletJob } from "./wallet-jobs.js";

jest.setTimeout(240_000);

const movements: readonly WalletJob[] = [
  "assignment",
  "refund",
  "cashIn",
  "cashOut",
  "vault",
  "tillOpening",
  "tillClosing",
  "approvedClosing",
  "takenCashIn",
  "handOver",
  "hold",
  "holdConfirmation",
  "holdRelease",
  "exchange",
];
const payments: readonly WalletJob[] = ["bill", "order", "request", "toWallet", "withdrawal"];

/**
 * What makes the wallet pass each kind of point. Those of payments for transactions, openings and
 * deposits are in payment-crash-points, those of freezing in block-crash-points.
 */
function jobsOf(name: string): readonly WalletJob[] {
  const [, saga = "", step = ""] = name.split(".");
  switch (saga) {
    case "movement":
      return movements;
    case "cash-order":
      return step === "kept" ? ["askedOrder"] : ["cashOrderSent", "cashOrderReceived", "cashOrderReturned"];
    case "till-closing":
      return ["askedClosing"];
    case "top-up":
      return step === "recorded" ? ["card", "pendingCard"] : ["card"];
    case "credit":
      return ["credit"];
    case "held":
      return ["heldCredit"];
    case "withdrawal":
      if (step === "returned") return ["withdrawalReturned"];
      return step === "ended" ? ["withdrawal"] : ["withdrawal", "withdrawalRefused"];
    case "payment":
      if (["claimed", "marked", "released"].includes(step)) return [];
      // What was spent of the limit is given back where a payment fails.
      return ["refused", "settled"].includes(step) ? ["unpayable"] : payments;
    default:
      return [];
  }
}

// By name: which kinds a point is tried with must not change with the order of files.
const points = declaredCrashPoints("wallet")
  .filter((name) => jobsOf(name).length > 0)
  .toSorted();
// Refunds, cash of the vault and closings that a manager approves are begun by what identity tells,
// in that transaction: the recovery row is all that knows of them.
const isPassed = ([name, job]: readonly [string, WalletJob]): boolean =>
  name !== "wallet.movement.recorded" || !["refund", "vault", "approvedClosing"].includes(job);
const all = points.flatMap((name) => jobsOf(name).map((job) => [name, job] as const)).filter(isPassed);
// Every kind is cut off somewhere, and every point is passed by some kind; all of both take their
// time.
const isAll = atDepth({ quick: 0, ci: 0, long: 1 }) === 1;
const some = points.flatMap((name) => {
  const jobs = jobsOf(name);
  // In turn among the points of the same jobs: others may come and go.
  const at = points.filter((other) => String(jobsOf(other)) === String(jobs)).indexOf(name);
  return jobs.filter((_job, turn) => jobs.length <= 2 || turn % 3 === at % 3).map((job) => [name, job] as const);
});
const cases = isAll ? all : some.filter(isPassed);

describe("the wallet killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-wallet-"));
  const pointFile = join(dataDir, "crash-points", "wallet");
  let cluster: Cluster;
  let operator: OperatorClients;
  let jobs: Awaited<ReturnType<typeof createWalletJobs>>;

  beforeAll(async () => {
    const processEnv = { wallet: { ...killedAt(pointFile), BANK_CREDITS_EVERY_S: "1" } };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { lending = "", investment = "", partner = "" } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    const addresses = { identity, compliance, remittance, wallet, ledger, lending, investment };
    operator = await createOperatorClients({ ...addresses, operatorKeyFile });
    jobs = await createWalletJobs(readDemo(dataDir), operator, partner);
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    writeFileSync(`${pointFile}.new`, name);
    renameSync(`${pointFile}.new`, pointFile);
  }

  test("every kind and every point that is not a transaction's is among them", () => {
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(all.map(([name]) => name)));
    expect(new Set(cases.map(([, job]) => job))).toEqual(new Set(all.map(([, job]) => job)));
    // Pickups are killed in desk-crash-points.test.ts, sales and what comes back of them in
    // counter-crash-points.test.ts, commission and settlements in agent-settlement-kills.test.ts.
    const others = declaredCrashPoints("wallet").filter((name) => jobsOf(name).length === 0);
    expect(
      others.every((name) =>
        /^wallet\.(account|agent-pickup|agent-settlement|commission|counter-payable|deposit|freeze|pickup)\.|^wallet\.payment\.(claimed|marked|released)$/.test(
          name,
        ),
      ),
    ).toBe(true);
  });

  // What is taken leaves the wallet with more than a bill that cannot be paid: it comes last.
  const isTaken = ([, job]: (typeof cases)[number]) => job === "takenCashIn";
  const inOrder = [...cases.filter((one) => !isTaken(one)), ...cases.filter(isTaken)];

  test.each(inOrder)("at %s, during %s: the money moves once, and all books agree", async (name, job) => {
    try {
      await jobs.run(job, () => arm(name));
      // A point that nobody passed would prove nothing; the process takes the file away before it
      // is killed.
      await waitFor(() => !existsSync(pointFile), { timeoutMs: 60_000, what: `the wallet to be killed at ${name}` });
    } finally {
      rmSync(pointFile, { force: true });
    }
    expect((await jobs.compared()).differences).toEqual([]);
  });
});
