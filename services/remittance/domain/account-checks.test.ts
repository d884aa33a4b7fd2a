import { alpha2ToAlpha3, getAlpha2Codes } from "i18n-iso-countries";
import { getCountryCallingCode, type CountryCode } from "libphonenumber-js/mobile";
import examples from "libphonenumber-js/mobile/examples";
import { Refusal } from "../../kernel/refusal.js";
import { checkAccount, isNuban, isRoutingNumber } from "./account-checks.js";
import type { DeliveryMethod } from "./corridor.js";

function faultOf(
  fields: Record<string, string>,
  country: string,
  method: DeliveryMethod = "ACCOUNTPAYMENT",
  currency = "GBP",
) {
  const party = Object.entries(fields).map(([key, value]) => ({ key, value }));
  try {
    checkAccount(party, [method], { country, currency });
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe("CREDIT_PARTY_INVALID");
    for (const value of Object.values(fields)) expect(error.message).not.toContain(value);
    return `${error.details!.errors![0]!.path} ${error.details!.errors![0]!.message}`;
  }
}
const account = (bankaccountno: string, bankcode = "", swiftbic = "") => ({
  bankaccountno,
  ...(bankcode && { bankcode }),
  ...(swiftbic && { swiftbic }),
});

describe("NUBAN, the Central Bank of Nigeria's standard", () => {
  it("its own worked example: First Bank (011), serial 000001457, check digit 9", () => {
    expect(isNuban("011", "0000014579")).toBe(true);
    for (const digit of "012345678") expect(isNuban("011", `000001457${digit}`)).toBe(false);
  });

  it("a bank of three digits is the same behind zeros; one of five stands behind a 9", () => {
    expect(isNuban("000011", "0000014579")).toBe(true);
    expect(isNuban("50547", "0000000012")).toBe(isNuban("950547", "0000000012"));
  });

  it("finds every single wrong digit but where the weights agree, and says nothing of the number", () => {
    expect(faultOf(account("0000014579", "011"), "NGA")).toBeUndefined();
    expect(faultOf(account("0000014578", "011"), "NGA")).toMatch(/^creditParty\[0\].value is no NUBAN/);
    expect(faultOf(account("0000014579", "058"), "NGA")).toMatch(/check digit/);
    expect(faultOf(account("000001457", "011"), "NGA")).toMatch(/10 digits/);
    expect(faultOf(account("0000014579", "11"), "NGA")).toMatch(/^creditParty\[1\].value must have 3, 5 or 6/);
    expect(faultOf(account("0000014579", "", "FBNINGLA"), "NGA")).toBeUndefined();
  });
});

describe("IBAN and BIC", () => {
  it.each([
    ["GBR", "GB29 NWBK 6016 1331 9268 19"],
    ["DEU", "DE89370400440532013000"],
    ["FRA", "FR1420041010050500013M02606"],
    ["SAU", "SA0380000000608010167519"],
    ["MLT", "MT84MALT011000012345MTLCAST001S"],
  ])("takes the registry's example of %s", (country, iban) => {
    expect(faultOf(account(iban), country)).toBeUndefined();
  });

  it("refuses wrong check digits, another country's, and a bare number where an IBAN is the rule", () => {
    expect(faultOf(account("DE88370400440532013000"), "DEU")).toMatch(/no valid IBAN/);
    expect(faultOf(account("FR1420041010050500013M02606"), "DEU")).toMatch(/no IBAN of DEU/);
    expect(faultOf(account("0532013000", "37040044"), "DEU")).toMatch(/must be an IBAN/);
    expect(faultOf(account("0712345678", "01"), "KEN")).toBeUndefined();
  });

  it.each([
    ...["REU", "GLP", "MTQ", "GUF", "MYT", "NCL", "PYF", "MAF", "BLM", "SPM", "WLF", "ATF"].map((territory) => [
      territory,
      "FR1420041010050500013M02606",
      "BNPAFRPP",
    ]),
    ...["JEY", "GGY", "IMN"].map((territory) => [territory, "GB29NWBK60161331926819", "NWBKGB2L"]),
    ["JEY", "31926819", "NWBKJESH"],
    ["ALA", "FI2112345600000785", "NDEAFIHH"],
    ["SJM", "NO9386011117947", "DNBANOKK"],
    ["ESH", "007810000112345678901234", "BCMAMAMC"],
    ["PRI", "123456789", "CHASUS33"],
  ])("an account of %s is %s at %s: territories have the codes of the registry", (country, account_, bic) => {
    expect(faultOf(account(account_, "", bic), country)).toBeUndefined();
  });

  it("a territory takes no other country's, and must have one where the area's rule is", () => {
    expect(faultOf(account("DE89370400440532013000"), "REU")).toMatch(/no IBAN of REU/);
    expect(faultOf(account("FI2112345600000785"), "SJM")).toMatch(/no IBAN of SJM/);
    for (const country of ["REU", "ALA", "SJM"])
      expect(faultOf(account("123456789"), country)).toMatch(/must be an IBAN/);
    expect(faultOf(account("319268199", "601613"), "JEY")).toMatch(/6 to 8 digits/);
    expect(faultOf(account("FR1420041010050500013M02606", "", "DEUTDEFF"), "REU")).toMatch(/is no bank's of REU/);
  });

  it("in euros an account of another country of SEPA is taken, with a bank of either, and no other", () => {
    const inEuros = (iban: string, country: string, bic = "") =>
      faultOf(account(iban, "", bic), country, "ACCOUNTPAYMENT", "EUR");
    const lithuanian = "LT121000011101001000";
    for (const country of ["DEU", "REU", "GBR", "CHE", "LTU"]) {
      expect([country, inEuros(lithuanian, country, "REVOLT21")]).toEqual([country, undefined]);
    }
    expect(inEuros(lithuanian, "DEU", "DEUTDEFF")).toBeUndefined();
    expect(inEuros(lithuanian, "DEU", "BNPAFRPP")).toMatch(/is no bank's of DEU/);
    expect(inEuros("SA0380000000608010167519", "DEU")).toMatch(/no IBAN of DEU/);
    for (const country of ["PYF", "SAU", "NGA"])
      expect([country, inEuros(lithuanian, country)]).toEqual([country, expect.any(String)]);
    expect(faultOf(account(lithuanian), "DEU")).toMatch(/no IBAN of DEU/);
  });

  it("a BIC is well-formed and of the country", () => {
    expect(faultOf(account("DE89370400440532013000", "", "DEUTDEFF"), "DEU")).toBeUndefined();
    expect(faultOf(account("DE89370400440532013000", "", "deutdeff500"), "DEU")).toBeUndefined();
    expect(faultOf(account("DE89370400440532013000", "", "BNPAFRPP"), "DEU")).toMatch(
      /^creditParty\[1\].value is no bank's/,
    );
    expect(faultOf(account("DE89370400440532013000", "", "DEUTXXFF"), "DEU")).toBeDefined();
  });
});

describe("national numbers", () => {
  it("the routing number of the Federal Reserve Bank of Boston's example holds, others do not", () => {
    expect(isRoutingNumber("011000015")).toBe(true);
    expect(isRoutingNumber("011000016")).toBe(false);
    expect(faultOf(account("123456789", "011000015"), "USA")).toBeUndefined();
    expect(faultOf(account("123456789", "011000016"), "USA")).toMatch(/routing number/);
    expect(faultOf(account("12", "011000015"), "USA")).toMatch(/4 to 17/);
  });

  it("British accounts have a sort code or are an IBAN", () => {
    expect(faultOf(account("31926819", "60-16-13"), "GBR")).toBeUndefined();
    expect(faultOf(account("31926819", "6016"), "GBR")).toMatch(/sort code/);
    expect(faultOf(account("319268199", "601613"), "GBR")).toMatch(/6 to 8 digits/);
  });

  it("mobile numbers are mobile, valid and of the country", () => {
    const mobile = (mobilenumber: string, country: string) => faultOf({ mobilenumber }, country, "MOBILE_MONEY");
    expect(mobile("+254 712 345678", "KEN")).toBeUndefined();
    expect(mobile("0712 345678", "KEN")).toBeUndefined();
    expect(mobile("08031234567", "NGA")).toBeUndefined();
    expect(mobile("+254 20 2222222", "KEN")).toMatch(/no valid mobile/);
    expect(mobile("+2348031234567", "KEN")).toMatch(/another country/);
    expect(mobile("12345", "KEN")).toMatch(/no valid mobile/);
  });

  it.each(Object.keys(getAlpha2Codes()))("a mobile number of %s is taken, and every country has one", (alpha2) => {
    const example = examples[alpha2 as CountryCode];
    const number =
      example === undefined ? "+64 21 123 4567" : `+${getCountryCallingCode(alpha2 as CountryCode)}${example}`;
    const party = { mobilenumber: number };
    expect(faultOf(party, alpha2ToAlpha3(alpha2)!, "MOBILE_MONEY")).toBeUndefined();
  });

  it("plans that are shared by countries and territories are one, those divided by first digits are not", () => {
    const mobile = (mobilenumber: string, country: string) => faultOf({ mobilenumber }, country, "MOBILE_MONEY");
    for (const [number, country] of [
      ["+212612345678", "ESH"],
      ["0612345678", "ESH"],
      ["+447400123456", "JEY"],
      ["+447797712345", "GBR"],
      ["+590690123456", "MAF"],
      ["+4740612345", "SJM"],
    ] as const) {
      expect([number, country, mobile(number, country)]).toEqual([number, country, undefined]);
    }
    expect(mobile("+79161234567", "KAZ")).toMatch(/another country/);
    expect(mobile("+18762101234", "DOM")).toMatch(/another country/);
    expect(mobile("+590690123456", "MTQ")).toMatch(/another country/);
  });
});
