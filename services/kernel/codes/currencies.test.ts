import { assertCurrency, currencies, isCurrency, minorDigits } from "./currencies.js";

describe("the currency table", () => {
  test("has well-formed, unique codes and numbers", () => {
    expect(currencies).toHaveLength(155);
    expect(new Set(currencies.map((currency) => currency.code)).size).toBe(155);
    expect(new Set(currencies.map((currency) => currency.numeric)).size).toBe(155);
    for (const { code, numeric, digits, name } of currencies) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect(numeric).toMatch(/^\d{3}$/);
      expect([0, 2, 3]).toContain(digits);
      expect(name).not.toBe("");
    }
  });

  test.each([
    ["JPY KRW UGX RWF XOF XAF XPF VND CLP ISK PYG GNF KMF DJF BIF VUV", 0],
    ["USD EUR GBP NGN KES GHS XCG MRU MGA HUF IDR", 2],
    ["KWD BHD OMR JOD TND LYD IQD", 3],
  ] as const)("%s have %d decimals", (codes, digits) => {
    for (const code of codes.split(" ")) {
      expect(isCurrency(code)).toBe(true);
      expect(minorDigits(code)).toBe(digits);
    }
  });

  test("knows the decimals of units of account but holds no money in them", () => {
    for (const code of ["CLF", "UYW"]) {
      expect(minorDigits(code)).toBe(4);
      expect(isCurrency(code)).toBe(false);
    }
    for (const code of ["XAU", "XDR", "XTS", "XXX", "usd", "", "US", "HRK", "toString"]) {
      expect(isCurrency(code)).toBe(false);
      expect(() => assertCurrency(code, "sendCurrency")).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
    }
    expect(() => minorDigits("XAU")).toThrow("ISO 4217");
  });
});

describe("differences from Intl, each of them reviewed", () => {
  const intl = new Set(Intl.supportedValuesOf("currency"));
  const ours = new Set(currencies.map((currency) => currency.code));

  test("codes that only we have", () => {
    // VED circulates beside VES under the same name; CLDR leaves it out.
    expect([...ours].filter((code) => !intl.has(code))).toEqual(["VED"]);
  });

  test("codes that only Intl has", () => {
    // Withdrawn, save XDR and XSU, which nobody holds in a wallet.
    expect([...intl].filter((code) => !ours.has(code))).toEqual("ANG BGN CUC HRK SLL XDR XSU ZWL".split(" "));
  });

  test("decimals", () => {
    // CLDR counts what is used in shops; ISO 4217, which payment networks follow, keeps the minor
    // unit.
    const different = currencies.filter(({ code, digits }) => {
      const format = new Intl.NumberFormat("en", { style: "currency", currency: code });
      return format.resolvedOptions().maximumFractionDigits !== digits;
    });
    expect(different.map(({ code }) => code).join(" ")).toBe(
      "AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER",
    );
  });
});
