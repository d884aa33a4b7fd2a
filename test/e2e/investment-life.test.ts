import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { readDemo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { createSandboxInvestor, type SandboxInvestor } from "../support/sandbox-investor.js";

jest.setTimeout(120_000);

let operator: OperatorClients;

beforeAll(async () => {
  const { addresses, keys } = readClusterFile(process.env["E2E_DATA_DIR"] ?? "");
  const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = addresses;
  const { lending = "", investment = "" } = addresses;
  const known = { identity, compliance, remittance, wallet, ledger, lending, investment };
  operator = await createOperatorClients({ ...known, operatorKeyFile: keys.operatorKeyFile });
});
afterAll(() => operator?.close());

const agree = (holder: SandboxInvestor) =>
  waitFor(
    async () => {
      const { differences, inFlight } = await holder.reconcile();
      return inFlight === 0n ? { differences } : undefined;
    },
    { timeoutMs: 30_000, everyMs: 200, what: "nothing to be under way" },
  );

const patience = { timeoutMs: 30_000, everyMs: 200 };

test("a whole life: a note with tax and penalty pays its quarters, a dividend, a part early, and the rest at its end", async () => {
  const terms = {
    name: "Quarterly note",
    termMonths: 12,
    termDays: 0,
    payout: "QUARTER",
    penalty: { kind: "PRINCIPAL_SHARE", bps: 100, percent: "" },
    withholdingTaxBps: 1_000,
    dayCount: "THIRTY_360",
  };
  const holder = await createSandboxInvestor(readDemo(), operator, terms);
  // From the first of a month on each quarter has 90 days of 30/360, from its end on not all.
  const today = Temporal.PlainDate.from(await holder.today());
  await holder.advance(today.until(today.with({ day: 1 }).add({ months: 1 })).days);
  const { holdingId } = (await holder.apply(40)).body.data;
  const start = Temporal.PlainDate.from(await holder.today());
  const at = (months: number) => start.add({ months });
  const read = async () => (await holder.read(holdingId)).body.data;
  const passTo = async (day: Temporal.PlainDate) => {
    await holder.advance(Temporal.PlainDate.from(await holder.today()).until(day, { largestUnit: "day" }).days);
    await waitFor(async () => (await read()).interestThrough === day.toString(), { ...patience, what: day.toString() });
  };
  await passTo(at(3));
  // 4,000.00 at 6 % a year: 60.00 a quarter, less 10 %.
  await waitFor(async () => (await holder.balance()) === 6_054_00n, { ...patience, what: "the first quarter" });

  const { dividendId } = (await holder.declareDividend(start.toString(), at(3).toString())).body.data;
  const paid = async () => (await holder.dividend(dividendId)).body.data;
  await waitFor(async () => (await paid()).status === "PAID", { ...patience, what: "the dividend" });
  expect(await paid()).toMatchObject({ holdings: 1, paidAmount: "10.00", taxAmount: "1.00", failedHoldingIds: [] });
  expect(await holder.balance()).toBe(6_063_00n);

  // A quarter of the units, on the day that nothing has been earned since the last payment: 1 % of
  // the principal is lost.
  const redeemed = (await holder.redeem(holdingId, 10)).body.data;
  expect(redeemed).toMatchObject({ principal: "1000.00", interest: "0.00", penalty: "10.00", paidAmount: "990.00" });
  expect(await holder.balance()).toBe(7_053_00n);

  await passTo(at(9));
  // Two quarters of 45.00 less 4.50.
  await waitFor(async () => (await holder.balance()) === 7_134_00n, { ...patience, what: "two more quarters" });
  await holder.advance(Temporal.PlainDate.from(await holder.today()).until(at(12), { largestUnit: "day" }).days);
  await waitFor(async () => (await read()).status === "MATURED", { ...patience, what: "maturity" });
  expect(await holder.balance()).toBe(7_134_00n + 3_040_50n);
  const { movements } = (await holder.statement(holdingId)).body.data;
  expect(movements.map(({ kind, paidAmount }: Record<string, string>) => `${kind} ${paidAmount}`).toSorted()).toEqual(
    ["PURCHASE -4000.00", "PAYOUT 54.00", "DIVIDEND 9.00", "REDEMPTION 990.00", "PAYOUT 40.50", "PAYOUT 40.50"]
      .concat("MATURITY 3040.50")
      .toSorted(),
  );
  // 60.00 + 3 × 45.00 of interest and 10.00 of a dividend; 10.00 of penalty and 20.50 of tax.
  expect((await read()).returns).toMatchObject({ invested: "0.00", grossGain: "205.00", netGain: "174.50" });
  expect((await holder.totals()).body.data.totalInvestmentsResponseDto).toEqual({ totalInvestments: 0 });
  expect(await agree(holder)).toEqual({ differences: [] });
});
