import { randomUUID } from "node:crypto";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { createSandboxInvestor, reviewedUnits, type SandboxInvestor } from "../support/sandbox-investor.js";
import { outlast } from "../support/time.js";

jest.setTimeout(120_000);

let operator: OperatorClients;
let investor: SandboxInvestor;

beforeAll(async () => {
  const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"] ?? "");
  const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = addresses;
  const { lending = "", investment = "" } = addresses;
  const known = { identity, compliance, remittance, wallet, ledger, lending, investment };
  operator = await createOperatorClients({ ...known, operatorKeyFile: keys.operatorKeyFile });
  investor = await createSandboxInvestor(readDemo(), operator);
});
afterAll(() => operator?.close());

const agree = () =>
  waitFor(
    async () => {
      const { differences, inFlight } = await investor.reconcile();
      return inFlight === 0n ? { differences } : undefined;
    },
    { timeoutMs: 30_000, everyMs: 200, what: "nothing to be under way" },
  );

test("a year of an investment through the whole cluster: bought, earning, redeemed in part, matured; all books agree", async () => {
  const key = randomUUID();
  const applied = await investor.apply(50, key);
  expect(applied).toMatchObject({
    status: 200,
    body: {
      data: { status: "COMPLETED", totalAmount: "5000.00", expectedReturn: "300.00", customerName: "Efua Mensah" },
    },
  });
  expect((await investor.apply(50, key)).text).toBe(applied.text);
  const { holdingId } = applied.body.data;
  expect(await investor.balance()).toBe(5_000_00n);
  const { customerId, tenantId } = investor;
  const erase = operator.identity.eraseCustomer(
    { customerId, reason: "asked for it" },
    outgoing({ tenantId, interactionId: randomUUID() }),
  );
  await expect(erase).rejects.toMatchObject({ message: expect.stringContaining("1 holdings (investment)") });

  await investor.advance(73);
  const today = await investor.today();
  const read = async () => (await investor.read(holdingId)).body.data;
  await waitFor(async () => (await read()).interestThrough === today, {
    timeoutMs: 30_000,
    what: "73 days of interest",
  });
  expect(await read()).toMatchObject({ accruedInterest: "60.00", returns: { grossGain: "60.00", daysInvested: 73 } });
  const totals = await investor.totals();
  expect(totals.text).toContain(
    '"totalInvestmentsResponseDto":{"totalInvestments":5000.00},"interestAccruedResponseDto":{"totalInvestments":60.00}',
  );

  const redeemed = await investor.redeem(holdingId, 20);
  expect(redeemed.body.data).toMatchObject({
    principal: "2000.00",
    interest: "24.00",
    paidAmount: "2024.00",
    unitsLeft: 30,
  });
  expect(await investor.balance()).toBe(7_024_00n);

  await investor.advance(292);
  await waitFor(async () => (await read()).status === "MATURED", { timeoutMs: 30_000, what: "maturity" });
  // 3,000.00 and a year's interest on it.
  expect(await investor.balance()).toBe(7_024_00n + 3_180_00n);
  const { movements } = (await investor.statement(holdingId)).body.data;
  expect(movements.map(({ kind, paidAmount }: Record<string, string>) => [kind, paidAmount])).toEqual([
    ["PURCHASE", "-5000.00"],
    ["REDEMPTION", "2024.00"],
    ["MATURITY", "3180.00"],
  ]);
  expect(await agree()).toEqual({ differences: [] });
});

const patience = { timeoutMs: 30_000, everyMs: 200 };

test("what compliance wants to look at waits, and goes on when a manager has let it pass", async () => {
  const balance = await investor.balance();
  const applied = await investor.apply(reviewedUnits);
  expect(applied).toMatchObject({
    status: 200,
    body: { data: { status: "AWAITING_COMPLIANCE", compliance: { decision: "REVIEW" } } },
  });
  const { investmentApplicationId: id } = applied.body.data;
  expect(await investor.balance()).toBe(balance);
  expect((await investor.decide(id, true)).status).toBe(200);
  const status = async () => (await investor.application(id)).body.data.status;
  await waitFor(async () => (await status()) === "COMPLETED", {
    timeoutMs: 60_000,
    everyMs: 300,
    what: "the purchase",
  });
  expect(await investor.balance()).toBe(balance - 700_00n);
  const second = (await investor.apply(reviewedUnits)).body.data.investmentApplicationId;
  expect((await investor.withdraw(second)).body.data.status).toBe("WITHDRAWN");
  expect((await investor.withdraw(second)).body.code).toBe("STATE_CONFLICT");
  expect(await agree()).toEqual({ differences: [] });
});

test("what a closed wallet cannot take stays owed, is shown to managers, and is paid where the customer says", async () => {
  const holder = await createSandboxInvestor(readDemo(), operator);
  const { holdingId } = (await holder.apply(100)).body.data;
  expect((await holder.closeWallet()).status).toBe(200);
  await holder.advance(365);
  const mine = async () =>
    (await holder.unpaid()).body.data.investments.find((one: { holdingId: string }) => one.holdingId === holdingId);
  await waitFor(mine, { ...patience, what: "what is unpaid" });
  expect(await mine()).toMatchObject({
    principal: "10000.00",
    accruedInterest: "600.00",
    unpaid: { code: "ACCOUNT_CLOSED" },
  });
  expect(await agree()).toEqual({ differences: [] });
  const { accountId } = (await holder.openWallet()).body.data;
  expect((await holder.payInto(holdingId, accountId)).status).toBe(200);
  await waitFor(async () => (await holder.balanceOf(accountId)) === 10_600_00n, { ...patience, what: "the money" });
  expect(await mine()).toBeUndefined();
  expect(await agree()).toEqual({ differences: [] });
});

test("what cannot be bought is refused with its own code, and nothing moves", async () => {
  const balance = await investor.balance();
  expect((await investor.apply(900)).body).toMatchObject({ status: "FAILED", code: "INSUFFICIENT_FUNDS" });
  expect((await investor.apply(1_001)).body).toMatchObject({ status: "FAILED", code: "UNITS_OUT_OF_LIMITS" });
  expect(await investor.balance()).toBe(balance);
  expect(await agree()).toEqual({ differences: [] });
});

test("what is bought after the date was moved counts on that date in the ledger too", async () => {
  await investor.advance(1);
  const today = await investor.today();
  // Business time is asked of identity once a second.
  await outlast(1_100);
  expect((await investor.apply(1)).body.data).toMatchObject({ status: "COMPLETED", totalAmount: "100.00" });
  const { tenantId, accountId } = investor;
  const call = outgoing({ tenantId, interactionId: randomUUID() });
  const { entries } = await operator.ledger.listAccountEntries({ accountId, newestFirst: true, pageSize: 1 }, call);
  expect(entries).toMatchObject([{ kind: "investment_purchase" }]);
  // The ledger's days are UTC's, the tenant's those of its time zone.
  const fromNoonMs = entries[0]!.effectiveAt!.getTime() - Date.parse(`${today}T12:00:00Z`);
  expect(Math.abs(fromNoonMs)).toBeLessThan(24 * 3_600_000);
  expect(entries[0]!.effectiveAt!.getTime()).toBeGreaterThan(Date.now() + 12 * 3_600_000);
  expect(await agree()).toEqual({ differences: [] });
});
