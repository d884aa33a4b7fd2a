import { randomUUID } from "node:crypto";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { createSandboxInvestor, type SandboxInvestor } from "../support/sandbox-investor.js";

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

test("what cannot be bought is refused with its own code, and nothing moves", async () => {
  const balance = await investor.balance();
  expect((await investor.apply(900)).body).toMatchObject({ status: "FAILED", code: "INSUFFICIENT_FUNDS" });
  expect((await investor.apply(1_001)).body).toMatchObject({ status: "FAILED", code: "UNITS_OUT_OF_LIMITS" });
  expect(await investor.balance()).toBe(balance);
  expect(await agree()).toEqual({ differences: [] });
});
