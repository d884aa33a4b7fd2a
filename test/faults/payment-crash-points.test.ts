import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { declaredCrashPoints, isPaymentPoint, killedAt } from "../support/crash-points.js";
import { readDemo } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { createPaymentJobs, type Job, type PaymentJobs } from "./payment-jobs.js";

/**
 * What makes a service pass a crash point. Every declared point belongs to one job, so none goes
 * untested.
 */
function jobOf(name: string): Job {
  if (/^wallet\.payment\.(refused|released)$|^remittance\.release\./.test(name)) return "refuse";
  if (/^remittance\.expired\.|^compliance\.reservations\.released$/.test(name)) return "expire";
  if (name.startsWith("remittance.refund.")) return "partnerRefuses";
  if (name.startsWith("remittance.cancel.")) return "recall";
  if (name === "remittance.payout.scheduled") return "window";
  if (name === "remittance.payout.joined" || name.startsWith("remittance.batch.")) return "batch";
  if (name.startsWith("wallet.account.")) return "open";
  if (name.startsWith("wallet.deposit.")) return "deposit";
  return "pay";
}

interface Point {
  service: string;
  name: string;
  job: Job;
}

// Whatever becomes of a transaction here is the beginning of one of these.
const inOrder = [
  "created paid processing completed",
  "created paid processing failed refunded",
  "created paid processing refunded",
  "created expired",
];

// Sagas that are no payment for a transaction are stopped by tests beside their services.
const services = ["wallet", "remittance", "ledger", "compliance"];

const points: Point[] = services.flatMap((service) =>
  declaredCrashPoints(service)
    .filter(isPaymentPoint)
    .map((name) => ({ service, name, job: jobOf(name) })),
);

jest.setTimeout(240_000);

describe("a payment whose services are killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-crash-"));
  /** Of each point: its job, which the process was killed under. */
  const outcomes = new Map(points.map(({ name }) => [name, Promise.withResolvers<bigint>()]));
  /** Transactions that will expire, once they are created. */
  const waiting: Promise<unknown>[] = [];
  let cluster: Cluster;
  let operator: OperatorClients;
  let jobs: PaymentJobs;
  let balanceBefore: bigint;

  const pointFile = (service: string) => join(dataDir, "crash-points", service);

  beforeAll(async () => {
    const processEnv = Object.fromEntries(
      services.map((name) => [name, { ...killedAt(pointFile(name)), PAYMENT_WINDOW_S: "1" }]),
    );
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const {
      identity = "",
      compliance = "",
      remittance = "",
      wallet = "",
      ledger = "",
      investment = "",
      lending = "",
    } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    operator = await createOperatorClients({
      identity,
      compliance,
      remittance,
      wallet,
      ledger,
      investment,
      lending,
      operatorKeyFile,
    });
    jobs = await createPaymentJobs(readDemo(dataDir), operator, cluster.file.addresses["partner"] ?? "");
    balanceBefore = await jobs.balance();
    for (const { promise } of outcomes.values()) promise.catch(() => undefined);
    void killEverywhere();
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /**
   * Each service by itself, all beside each other; what expires first, while transactions wait for
   * a second only.
   */
  async function killEverywhere(): Promise<void> {
    const expiring = points.filter(({ job }) => job === "expire");
    const expired = killOneByOne(expiring).then(async () => {
      await Promise.all(waiting);
      const remittance = cluster.process("remittance");
      await remittance.kill();
      await remittance.restart({ env: { PAYMENT_WINDOW_S: "1800" } });
    });
    const others = points.filter(({ job }) => job !== "expire");
    const queues = Object.values(Object.groupBy(others, ({ service }) => service));
    await Promise.all(queues.map((queue = []) => killOneByOne(queue, expired)));
  }

  async function killOneByOne(queue: readonly Point[], payable?: Promise<void>): Promise<void> {
    for (const point of queue) {
      if (point.job !== "open" && point.job !== "deposit" && point.job !== "expire") await payable;
      await killAt(point);
    }
  }

  /**
   * Arms the point, starts its job and waits until the process was killed and is back; the job goes
   * on meanwhile.
   */
  async function killAt({ service, name, job }: Point): Promise<void> {
    const outcome = outcomes.get(name)!;
    try {
      const victim = cluster.process(service);
      await victim.whenReady();
      const armed = victim.pid();
      // In one step: the process reads it at every point.
      writeFileSync(`${pointFile(service)}.new`, name);
      renameSync(`${pointFile(service)}.new`, pointFile(service));
      const created = Promise.withResolvers<void>();
      const running = jobs.run(job, created.resolve);
      running.catch(() => undefined);
      if (job === "expire") waiting.push(Promise.race([created.promise, running]));
      // A point that nobody passed would prove nothing.
      const killed = waitFor(() => victim.pid() !== armed, {
        timeoutMs: 60_000,
        what: `${service} to be killed at ${name}`,
      });
      await Promise.race([killed, running.then(() => killed)]);
      await victim.whenReady();
      outcome.resolve(running);
    } catch (error) {
      rmSync(pointFile(service), { force: true });
      outcome.reject(error);
    }
  }

  test("there are crash points in each of the services that money passes", () => {
    expect(new Set(points.map(({ service }) => service)).size).toBe(services.length);
  });

  test.each(points)("at $name ends decided, moved once or not at all, with one answer", async ({ name }) => {
    await outcomes.get(name)!.promise;
  });

  test("each transaction's states were told once and in order, wherever a process died", async () => {
    await Promise.allSettled([...outcomes.values()].map(({ promise }) => promise));
    const published = await jobs.told();
    expect(published.length).toBeGreaterThan(points.length / 2);
    for (const events of published) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      const types = events.map(({ type }) => type.replace("transaction.", ""));
      expect(types[0]).toBe("created");
      expect(new Set(types).size).toBe(types.length);
      expect(inOrder.some((path) => path.startsWith(types.join(" ")))).toBe(true);
    }
  });

  test("the wallet holds what it held, less what the payments moved", async () => {
    const moved = await Promise.all([...outcomes.values()].map(({ promise }) => promise));
    expect(await jobs.balance()).toBe(balanceBefore + moved.reduce((sum, one) => sum + one, 0n));
  });
});
