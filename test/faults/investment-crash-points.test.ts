import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { declaredCrashPoints, killedAt } from "../support/crash-points.js";
import { readDemo, type EdgeAnswer } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { centsOf, createSandboxInvestor, reviewedUnits, type SandboxInvestor } from "../support/sandbox-investor.js";
import { insist } from "./payment-jobs.js";
import { outlast } from "../support/time.js";

jest.setTimeout(120_000);

const points = declaredCrashPoints("investment");
const patience = { timeoutMs: 60_000, everyMs: 200 };

describe("investment killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-invest-"));
  const pointFile = join(dataDir, "crash-points", "investment");
  let cluster: Cluster;
  let operator: OperatorClients;
  let investor: SandboxInvestor;

  beforeAll(async () => {
    const processEnv = { investment: { ...killedAt(pointFile), INVESTMENT_DAY_EVERY_S: "1" } };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { lending = "", investment = "" } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    const addresses = { identity, compliance, remittance, wallet, ledger, lending, investment };
    operator = await createOperatorClients({ ...addresses, operatorKeyFile });
    investor = await createSandboxInvestor(readDemo(dataDir), operator);
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

  /** The process was killed there: it takes the file away first. */
  const wasKilled = () => waitFor(() => !existsSync(pointFile), { ...patience, what: "the process to be killed" });

  const done = (answer: EdgeAnswer) => {
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body.data;
  };

  async function holdingOf(units: number): Promise<string> {
    return done(await insist(() => investor.apply(units))).holdingId as string;
  }

  const interestOf = async (holdingId: string) => {
    const { body } = await insist(() => investor.read(holdingId));
    return { cents: centsOf(body.data.accruedInterest), through: body.data.interestThrough as string };
  };

  const decided = (id: string, status: string) =>
    waitFor(async () => (await insist(() => investor.application(id))).body.data.status === status || undefined, {
      ...patience,
      what: `the application to be ${status}`,
    });

  /** 60.00 a year on 10 units. */
  const jobs: Record<string, (point: string) => Promise<void>> = {
    async application(point) {
      const before = await investor.balance();
      arm(point);
      const key = randomUUID();
      const applied = await insist(() => investor.apply(1, key));
      await wasKilled();
      expect(done(applied).totalAmount).toBe("100.00");
      expect((await insist(() => investor.apply(1, key))).text).toBe(applied.text);
      expect(await waitFor(() => investor.balance().catch(() => undefined), patience)).toBe(before - 100_00n);
      const { body } = await insist(() => investor.statement(done(applied).holdingId));
      expect(body.data.movements).toHaveLength(1);
    },

    async refused(point) {
      const before = await investor.balance();
      arm(point);
      const key = randomUUID();
      const refused = await insist(() => investor.apply(500, key));
      await wasKilled();
      expect(refused).toMatchObject({ status: 422, body: { code: "INSUFFICIENT_FUNDS" } });
      expect((await insist(() => investor.apply(500, key))).text).toBe(refused.text);
      expect(await waitFor(() => investor.balance().catch(() => undefined), patience)).toBe(before);
    },

    async waiting(point) {
      const before = await investor.balance();
      arm(point);
      const key = randomUUID();
      const applied = await insist(() => investor.apply(reviewedUnits, key));
      expect(done(applied)).toMatchObject({ status: "AWAITING_COMPLIANCE" });
      const { investmentApplicationId: id } = applied.body.data;
      done(await insist(() => investor.decide(id, true)));
      await wasKilled();
      await decided(id, "COMPLETED");
      expect((await insist(() => investor.apply(reviewedUnits, key))).text).toBe(applied.text);
      expect(await waitFor(() => investor.balance().catch(() => undefined), patience)).toBe(before - 700_00n);
    },

    async reviewRefused(point) {
      const before = await investor.balance();
      const { investmentApplicationId: id } = done(await insist(() => investor.apply(reviewedUnits)));
      arm(point);
      done(await insist(() => investor.decide(id, false)));
      await wasKilled();
      await decided(id, "REFUSED");
      expect(await investor.balance()).toBe(before);
    },

    async redemption(point) {
      const holdingId = await holdingOf(2);
      const before = await investor.balance();
      arm(point);
      const key = randomUUID();
      const redeemed = await insist(() => investor.redeem(holdingId, 1, key));
      await wasKilled();
      expect(done(redeemed)).toMatchObject({ unitsLeft: 1, paidAmount: "100.00" });
      expect((await insist(() => investor.redeem(holdingId, 1, key))).text).toBe(redeemed.text);
      expect(await waitFor(() => investor.balance().catch(() => undefined), patience)).toBe(before + 100_00n);
    },

    async accrual(point) {
      const holdingId = await holdingOf(10);
      arm(point);
      done(await insist(() => investor.advance(73)));
      await wasKilled();
      const today = await investor.today();
      await waitFor(async () => (await interestOf(holdingId)).through === today, {
        ...patience,
        what: "the day's work",
      });
      // 1,000.00 at 6 % for 73 of 365 days.
      expect((await interestOf(holdingId)).cents).toBe(12_00n);
    },

    async maturity(point) {
      const holdingId = await holdingOf(10);
      arm(point);
      done(await insist(() => investor.advance(365)));
      await wasKilled();
      const isOver = async () => (await insist(() => investor.read(holdingId))).body.data.status === "MATURED";
      await waitFor(isOver, { ...patience, what: "the maturity" });
      const { body } = await insist(() => investor.statement(holdingId));
      expect(body.data.movements).toMatchObject([{ kind: "PURCHASE" }, { kind: "MATURITY", paidAmount: "1060.00" }]);
    },

    async dividend(point) {
      await holdingOf(3);
      const from = await investor.today();
      done(await insist(() => investor.advance(10)));
      const to = await investor.today();
      // Services look at a tenant's clock once a second.
      await outlast(1_100);
      arm(point);
      const { dividendId } = done(await insist(() => investor.declareDividend(from, to)));
      await wasKilled();
      const paid = async () => (await insist(() => investor.dividend(dividendId))).body.data;
      await waitFor(async () => (await paid()).status === "PAID", { ...patience, what: "the dividend" });
      expect(await paid()).toMatchObject({ paidAmount: "10.00", failedAmount: "0.00" });
    },
  };

  const jobOf = (name: string): string[] => {
    if (name.endsWith(".refused")) return ["refused"];
    if (name === "investment.waiting.ended") return ["reviewRefused"];
    if (name.endsWith(".waiting") || name.startsWith("investment.waiting.")) return ["waiting"];
    if (name.startsWith("investment.settlement.")) {
      return name.endsWith(".planned") ? ["redemption"] : ["redemption", "maturity"];
    }
    return [name.split(".")[1] ?? ""];
  };

  test("there is a job for every point", () => {
    expect(points.length).toBeGreaterThan(10);
    expect(points.filter((name) => jobOf(name).some((job) => jobs[job] === undefined))).toEqual([]);
  });

  test.each(points.flatMap((name) => jobOf(name).map((job) => [name, job] as const)))(
    "at %s, during %s: it happens once, and all books agree",
    async (name, job) => {
      try {
        await jobs[job]!(name);
      } finally {
        rmSync(pointFile, { force: true });
      }
      const settled = await waitFor(
        async () => {
          const result = await investor.reconcile().catch(() => undefined);
          return result?.inFlight === 0n ? result : undefined;
        },
        { ...patience, what: "nothing to be under way" },
      );
      expect(settled.differences).toEqual([]);
    },
  );
});
