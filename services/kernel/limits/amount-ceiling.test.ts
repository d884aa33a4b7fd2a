import { assertBelowCeiling, ceilingOf, isCeilings, operatorCeiling, parseCeilings } from "./amount-ceiling.js";
import { createAmountCeilings } from "../../platform/preferences/amount-ceilings.js";

const usd = (minor: bigint) => ({ minor, currency: "USD" });
const call = { tenantId: "acme", interactionId: "i" };

test("a currency that the operator does not name has 10^13 minor units", () => {
  const operator = parseCeilings("USD=5000000,JPY=900000");
  expect(operatorCeiling(operator, "USD")).toBe(5_000_000n);
  expect(operatorCeiling(operator, "JPY")).toBe(900_000n);
  expect(operatorCeiling(operator, "EUR")).toBe(10n ** 13n);
  expect(operatorCeiling(parseCeilings(), "USD")).toBe(10n ** 13n);
});

test.each(["USD", "USD=0", "USD=1.5", "XXY=5", "USD=1,USD=2", "USD=1000000000000001", "usd=5", "USD=5,", ""])(
  "%j is no ceilings",
  (text) => expect(isCeilings(text)).toBe(false),
);

test("a tenant's ceiling lowers the operator's and never raises it", () => {
  const operator = parseCeilings("USD=500");
  expect(ceilingOf(operator, new Map([["USD", 400n]]), "USD")).toBe(400n);
  expect(ceilingOf(operator, new Map([["USD", 600n]]), "USD")).toBe(500n);
  expect(ceilingOf(operator, new Map(), "USD")).toBe(500n);
});

test("the ceiling itself passes, a unit more is refused with both figures", () => {
  assertBelowCeiling(usd(500n), 500n);
  expect(() => assertBelowCeiling(usd(501n), 500n)).toThrow(
    expect.objectContaining({
      code: "AMOUNT_ABOVE_CEILING",
      message: "an amount is at most 5.00 USD",
      details: { figures: { ceiling: "5.00", asked: "5.01" } },
    }),
  );
});

describe("a service's ceilings", () => {
  const requested: string[] = [];
  const ceilings = createAmountCeilings({
    identity: {
      async getOrganisationPreference(_request, { tenantId }) {
        requested.push(tenantId);
        return { tenant: { preference: { amountCeilings: [{ amountMinor: 100n, currency: "USD" }] } } } as never;
      },
    },
    configured: "USD=500",
  });

  test("are the operator's, for which identity need not be asked, and the tenant's", async () => {
    await expect(ceilings.check(call, usd(1n), usd(501n))).rejects.toMatchObject({
      details: { figures: { ceiling: "5.00" } },
    });
    expect(requested).toEqual([]);
    await expect(ceilings.check(call, usd(101n))).rejects.toMatchObject({ details: { figures: { ceiling: "1.00" } } });
    await ceilings.check(call, usd(100n), { minor: 10n ** 13n, currency: "EUR" });
    expect(requested).toEqual(["acme"]);
    expect(() => ceilings.checkSum(usd(500n))).not.toThrow();
    expect(() => ceilings.checkSum(usd(501n))).toThrow();
  });

  test.each([
    [501n, "OPERATOR"],
    [101n, "TENANT"],
    [100n, undefined],
  ] as const)("what was taken of %s passes the ceiling of %s", async (minor, whose) => {
    expect(await ceilings.passedBy(call, usd(minor))).toBe(whose);
  });
});
