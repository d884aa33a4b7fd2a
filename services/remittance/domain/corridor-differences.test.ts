import type { CorridorContent } from "./corridor.js";
import { differencesOf } from "./corridor-differences.js";

const held: CorridorContent = {
  originCountry: "USA",
  sendCurrency: "USD",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  deliveryMethods: ["ACCOUNTPAYMENT"],
  minimumMinor: 1_00n,
  maximumMinor: 5_000_00n,
  fees: [{ name: "Transfer fee", fixedMinor: 1_99n, rateBps: 50, taxBps: 0, deliveryMethods: [] }],
  enabled: true,
};
const name = "USA-USD-NGA-NGN";
const requested = (content: CorridorContent) => ({ content, basedOn: 1 });

test("tells what differs by the API's names, amounts as decimal text with their currency", () => {
  const content: CorridorContent = {
    ...held,
    maximumMinor: 7_000_00n,
    fees: [{ ...held.fees[0]!, tiers: [{ fromMinor: 1_000_00n, fixedMinor: 0n, rateBps: 20 }] }],
    deliveries: [{ method: "ACCOUNTPAYMENT", partner: "northbank", estimateMinutes: 60, maximumMinor: 6_000_00n }],
  };
  expect(differencesOf([requested(content)], new Map([[name, held]]))).toEqual([
    { field: "maximumAmount", before: "5000.00", after: "7000.00", currency: "USD" },
    { field: "fees.0.tiers.0.from", before: "", after: "1000.00", currency: "USD" },
    { field: "fees.0.tiers.0.fixed", before: "", after: "0.00", currency: "USD" },
    { field: "fees.0.tiers.0.rateBps", before: "", after: "20", currency: "" },
    { field: "deliveries.ACCOUNTPAYMENT.partner", before: "", after: "northbank", currency: "" },
    { field: "deliveries.ACCOUNTPAYMENT.estimateMinutes", before: "", after: "60", currency: "" },
    { field: "deliveries.ACCOUNTPAYMENT.maximumAmount", before: "", after: "6000.00", currency: "USD" },
  ]);
});

test("tells what goes, and names the corridor where there are several", () => {
  const other: CorridorContent = { ...held, receivingCountry: "KEN", receivingCurrency: "KES", enabled: false };
  const both = [requested({ ...held, fees: [] }), requested(other)];
  const found = differencesOf(both, new Map([[name, held]]));
  expect(found).toContainEqual({ field: `${name}.fees.0.name`, before: "Transfer fee", after: "", currency: "" });
  expect(found).toContainEqual({ field: "USA-USD-KEN-KES.enabled", before: "", after: "false", currency: "" });
  expect(found.filter(({ field }) => field === `${name}.minimumAmount`)).toEqual([]);
});
