import { edgeAsManager } from "../../test/gateway/as-manager.js";

const { edge, sent } = edgeAsManager();

const partner = "0199d0c2-0000-7000-8000-00ce7d4f4ca9";
const payouts = {
  accountId: `partner_settlement:${partner}:NGN`,
  code: "partner_settlement",
  partner,
  name: "Owed to whom they were called then NGN",
  currency: "NGN",
  owedMinor: 0n,
  prefundedMinor: 4_229_00n,
  reservedMinor: 30_00n,
  paidOutMinor: 770_00n,
};
const acquirer = {
  accountId: "card_settlement:operator:USD",
  code: "card_settlement",
  partner: "operator",
  name: "Card settlement USD",
  currency: "USD",
  owedMinor: 5_00n,
};
const columns = ["partnerId", "age", "sendCurrency", "receivingCurrency", "receivedAmount"];
const rowsOf = (report: string) =>
  report === "ageing"
    ? [
        [partner, "0", "USD", "NGN", "1000.00"],
        [partner, "2", "GBP", "NGN", "199.00"],
        [partner, "0", "USD", "GHS", "7.00"],
        ["operator", "0", "USD", "USD", "8.00"],
        [partner, "0", "USD", "NGN", ""],
      ]
    : [[partner, "40", "USD", "NGN", "1000.00"]];

function answer(balances: object[], asked: object[] = []) {
  const { fakes } = edge();
  fakes.partnerBalances.listPartnerBalances = async () => ({ balances, today: "2026-11-30", nextCursor: "" });
  fakes.plugins.listPlugins = async () => ({
    plugins: [{ installationId: partner, name: "Lagos payouts", configurationJson: "{}" }],
  });
  fakes.reports.getReport = async ({ report, from, to, by }) => {
    asked.push({ report, from, to, by });
    return { columns, rows: rowsOf(report).map((cells) => ({ cells })) };
  };
  return asked;
}

test("what is with a payout partner and not paid is taken from what is available, by partner and currency", async () => {
  const asked = answer([payouts, acquirer]);
  const { json } = await sent("listPartnerBalances");
  expect(json.data.partners).toEqual([
    {
      accountId: payouts.accountId,
      code: "partner_settlement",
      partner,
      name: "Lagos payouts",
      currency: "NGN",
      owed: "0.00",
      prefunded: "4229.00",
      inFlight: "2229.00",
      available: "2000.00",
      // 2,000.00 of 110.00 a day.
      daysLeft: 18,
    },
    {
      accountId: acquirer.accountId,
      code: "card_settlement",
      partner: "operator",
      name: "Card settlement USD",
      currency: "USD",
      owed: "5.00",
      prefunded: "0.00",
      inFlight: "0.00",
      available: "-5.00",
    },
  ]);
  const days = { from: "2025-11-30", to: "2026-11-30", by: ["partner"] };
  expect(asked).toEqual([
    { report: "ageing", ...days },
    { report: "unclaimed", ...days },
  ]);
});

test("nothing is left where more is on its way than there is, nor where it is owed", async () => {
  answer([
    { ...payouts, prefundedMinor: 2_229_00n },
    { ...payouts, prefundedMinor: 0n, owedMinor: 1n },
  ]);
  const { json } = await sent("listPartnerBalances");
  const left = json.data.partners.map(({ available, daysLeft }: never) => [available, daysLeft]);
  expect(left).toEqual([
    ["0.00", 0],
    ["-2229.01", 0],
  ]);
});

test("without a payout partner on the page remittance is not asked", async () => {
  const asked = answer([acquirer]);
  await sent("listPartnerBalances");
  expect(asked).toEqual([]);
});

test("an alarm shows what it is at, and none where it was ended", async () => {
  const alarm = { accountId: payouts.accountId, currency: "NGN", changedBy: "u-1", changedAt: new Date(0) };
  answer([
    { ...payouts, alarm: { ...alarm, belowMinor: -20_000_00n, isLow: true } },
    { ...payouts, alarm },
  ]);
  const { json } = await sent("listPartnerBalances");
  expect(json.data.partners.map((one: { alarm?: object }) => one.alarm)).toEqual([
    {
      accountId: payouts.accountId,
      currency: "NGN",
      below: "-20000.00",
      isLow: true,
      changedBy: "u-1",
      changedAt: "1970-01-01T00:00:00.000Z",
    },
    undefined,
  ]);
});
