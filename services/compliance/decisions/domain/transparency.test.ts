import type { Money } from "../../../kernel/money.js";
import { checkProfiles, countryOfTwo, type ProfileDraft } from "./transparency-check.js";
import { rowsOf } from "./transparency-profiles.js";
import type { Funding, ProfileName } from "../../../platform/transparency/members.js";
import { askOf, givenMembers, missingMembers, withOwnAmount } from "./transparency.js";
import type { TransactionFacts } from "./transaction.js";

const money = (text: string): Money => {
  const [amount, currency] = text.split(" ") as [string, string];
  return { minor: BigInt(amount.replace(".", "")), currency };
};

const profile = (name: ProfileName, part: Partial<ProfileDraft> = {}) => {
  const draft = { profile: name, originCountries: ["US"], currency: "", linkedHours: 24, onMissing: "", rows: [] };
  const faults: string[] = [];
  const [checked] = checkProfiles([{ ...draft, ...part }], (path, message) => void faults.push(`${path} ${message}`));
  expect(faults).toEqual([]);
  return checked!;
};

const order = (part: Partial<TransactionFacts> = {}): TransactionFacts => ({
  transactionId: "t1",
  customerId: "c1",
  amount: money("100.00 USD"),
  originCountry: "USA",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  remittancePurpose: "family support",
  sourceOfFunds: "salary",
  operation: "REMITTANCE",
  recipient: "B-1",
  ...part,
});

/** What a profile asks of an order that comes to an amount in its currency. */
function asked(name: ProfileName, amount: string | undefined, part: Partial<TransactionFacts> = {}, funding?: Funding) {
  const known = amount === undefined ? {} : { amount: money(amount), linkedAmount: money(amount) };
  const knownMembers = ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT"];
  const facts = order({ amount: money("100.00 GBP"), transparency: { ...known, knownMembers }, ...part });
  return askOf(rowsOf(profile(name)), facts, funding);
}

describe("what the named profiles ask for", () => {
  test.each([
    ["US_BSA", "2999.99 USD", []],
    ["US_BSA", "3000.00 USD", ["ADDRESS"]],
    ["US_BSA", undefined, ["ADDRESS"]],
    ["EU_TFR", "1000.00 EUR", ["RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    ["EU_TFR", "1000.01 EUR", ["ADDRESS_OR_BIRTH", "IDENTITY_DOCUMENT", "RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    ["EU_TFR", undefined, ["ADDRESS_OR_BIRTH", "IDENTITY_DOCUMENT", "RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    ["UK_FTR", "1000.00 EUR", ["RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    ["UK_FTR", "1000.01 EUR", ["ADDRESS_OR_BIRTH", "IDENTITY_DOCUMENT", "RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    ["FATF_2025", "1000.00 USD", ["RECIPIENT_ACCOUNT", "RECIPIENT_NAME"]],
    [
      "FATF_2025",
      "1000.01 USD",
      ["ADDRESS", "DATE_OF_BIRTH", "RECIPIENT_ACCOUNT", "RECIPIENT_ADDRESS", "RECIPIENT_COUNTRY", "RECIPIENT_NAME"],
    ],
  ] as const)("%s at %s asks for %j", (name, amount, members) => {
    expect(asked(name, amount).members).toEqual(members);
  });

  test("what is linked counts with it: the one that lifts the sum above the amount asks", () => {
    const sum = (linkedAmount: string) =>
      asked("EU_TFR", undefined, {
        transparency: { amount: money("450.00 EUR"), linkedAmount: money(linkedAmount), knownMembers: [] },
      }).members.includes("ADDRESS_OR_BIRTH");
    expect(sum("1050.00 EUR")).toBe(true);
    expect(sum("1000.00 EUR")).toBe(false);
  });

  test("an amount in another currency than the profile's, and a linked one without a rate, count as above", () => {
    expect(asked("US_BSA", "1.00 EUR").members).toEqual(["ADDRESS"]);
    expect(askOf(rowsOf(profile("US_BSA")), order({ amount: money("1.00 EUR") })).members).toEqual(["ADDRESS"]);
    const unknown = { amount: money("1.00 USD"), knownMembers: [] };
    expect(asked("US_BSA", undefined, { transparency: unknown }).members).toEqual(["ADDRESS"]);
  });

  test("an order that was made when no profile was known counts by its own amount in the profile's currency", () => {
    const alone = (amount: string) => {
      const facts = order({ amount: money(amount), transparency: { knownMembers: [] } });
      return askOf(rowsOf(profile("US_BSA")), facts).members;
    };
    expect(alone("5.00 USD")).toEqual([]);
    expect(alone("3000.00 USD")).toEqual(["ADDRESS"]);
  });

  test("within the Economic Area accounts are enough at any amount, and the area is not the European Union alone", () => {
    for (const receivingCountry of ["DEU", "NOR", "ISL", "LIE"]) {
      expect(asked("EU_TFR", "5000.00 EUR", { receivingCountry }).members).toEqual(["RECIPIENT_ACCOUNT"]);
    }
    expect(asked("EU_TFR", "5000.00 EUR", { receivingCountry: "GBR" }).members).toContain("ADDRESS_OR_BIRTH");
    expect(asked("UK_FTR", "5000.00 EUR", { originCountry: "GBR", receivingCountry: "GBR" }).members).toEqual([
      "RECIPIENT_ACCOUNT",
    ]);
  });

  test("50.00 in cash asks for a verified sender once it is known; before, that funding may ask is said", () => {
    expect(asked("EU_TFR", "50.00 EUR")).toMatchObject({ asksByFunding: true });
    expect(asked("EU_TFR", "50.00 EUR").members).not.toContain("IDENTITY_DOCUMENT");
    expect(asked("EU_TFR", "50.00 EUR", {}, "WALLET").members).not.toContain("IDENTITY_DOCUMENT");
    expect(asked("EU_TFR", "50.00 EUR", {}, "CASH").members).toContain("IDENTITY_DOCUMENT");
    expect(asked("US_BSA", "3000.00 USD", {}, "WALLET")).toMatchObject({ asksByFunding: true, members: ["ADDRESS"] });
  });

  // 31 CFR 1010.410(e): of whoever places an order in person, from 3,000 on, document and address.
  test.each([
    ["2999.99 USD", []],
    ["3000.00 USD", ["ADDRESS", "IDENTITY_DOCUMENT", "IDENTITY_DOCUMENT_DETAILS"]],
  ])("of %s from the USA in cash %j is asked", (amount, members) => {
    expect(asked("US_BSA", amount, {}, "CASH").members).toEqual(members);
  });
});

describe("what of it is missing", () => {
  const missing = (member: string, given: string[], met: string[] = []) =>
    missingMembers([member], { facts: order(), given, met });

  test("a date and place of birth stand in for an address where the profile says so, and nowhere else", () => {
    const birth = ["DATE_OF_BIRTH", "PLACE_OF_BIRTH"];
    expect(missing("ADDRESS_OR_BIRTH", birth)).toEqual([]);
    expect(missing("ADDRESS_OR_BIRTH", ["ADDRESS", "IDENTITY_DOCUMENT_DETAILS"])).toEqual([]);
    expect(missing("ADDRESS_OR_BIRTH", ["ADDRESS", "DATE_OF_BIRTH"])).toEqual(["ADDRESS_OR_BIRTH"]);
    expect(missing("ADDRESS", birth)).toEqual(["ADDRESS"]);
  });

  test("a document that is over does not count, from the day after its last", () => {
    const details = [{ detail: "ADDRESS" }, { detail: "IDENTITY_DOCUMENT", until: "2026-05-01" }];
    expect(givenMembers(details, "2026-05-01")).toEqual(["ADDRESS", "IDENTITY_DOCUMENT_DETAILS"]);
    expect(missing("ADDRESS_OR_BIRTH", givenMembers(details, "2026-05-02"))).toEqual(["ADDRESS_OR_BIRTH"]);
  });

  test("a verified sender has shown the document, whatever its details say", () => {
    expect(missing("IDENTITY_DOCUMENT", ["IDENTITY_DOCUMENT_DETAILS"])).toEqual(["IDENTITY_DOCUMENT"]);
    expect(missing("IDENTITY_DOCUMENT", [], ["IDENTITY_DOCUMENT"])).toEqual([]);
  });

  test("of the recipient counts what the order was said to have; purpose and source stand in it", () => {
    const facts = order({ remittancePurpose: "", transparency: { knownMembers: ["RECIPIENT_NAME"] } });
    const members = ["PURPOSE", "RECIPIENT_ADDRESS", "RECIPIENT_NAME", "ORDER_SOURCE_OF_FUNDS"];
    expect(missingMembers(members, { facts, met: [] })).toEqual(["PURPOSE", "RECIPIENT_ADDRESS"]);
  });
});

describe("a profile that somebody writes", () => {
  const row = {
    amount: money("50.00 USD"),
    isAbove: true,
    funding: "",
    destination: "",
    receivingCountries: [] as string[],
    members: ["NATIONALITY"],
    isVerified: false,
  };
  const faultsOf = (...drafts: Partial<ProfileDraft>[]) => {
    const faults: string[] = [];
    const whole = drafts.map((part) => ({
      profile: "OWN",
      originCountries: ["US"],
      currency: "USD",
      linkedHours: 24,
      onMissing: "WAIT",
      rows: [row],
      ...part,
    }));
    checkProfiles(whole, (path) => void faults.push(path.replace("transparencyProfiles", "")));
    return faults;
  };

  test("adds its own rows to the named ones, with what it leaves open filled in", () => {
    const both = profile("US_BSA", { rows: [row] });
    expect(both).toMatchObject({ currency: "USD", onMissing: "WAIT", originCountries: ["USA"], linkedHours: 24 });
    expect(rowsOf(both).map(({ members }) => members)).toEqual([
      ["ADDRESS"],
      ["ADDRESS", "IDENTITY_DOCUMENT_DETAILS"],
      ["NATIONALITY"],
    ]);
    const to = (receivingCountry: string) =>
      askOf(rowsOf(profile("OWN", { currency: "USD", rows: [{ ...row, receivingCountries: ["KE"] }] })), {
        ...withOwnAmount(order({ receivingCountry, amount: money("50.01 USD") })),
      }).members;
    expect(to("KEN")).toEqual(["NATIONALITY"]);
    expect(to("NGA")).toEqual([]);
  });

  test.each<[string, Partial<ProfileDraft>, string]>([
    ["an unknown name", { profile: "BSA" }, "[0].profile"],
    ["no country", { originCountries: [] }, "[0].originCountries"],
    ["what is no country", { originCountries: ["USA", "ATLANTIS"] }, "[0].originCountries[1]"],
    ["another currency than the law's", { profile: "EU_TFR", currency: "USD", rows: [] }, "[0].currency"],
    ["no currency of its own", { currency: "", rows: [{ ...row, amount: undefined }] }, "[0].currency"],
    ["hours below one", { linkedHours: -1 }, "[0].linkedHours"],
    ["more hours than a month has", { linkedHours: 745 }, "[0].linkedHours"],
    ["another word for what is missing", { onMissing: "ASK" }, "[0].onMissing"],
    ["an own one without rows", { rows: [] }, "[0].rows"],
    ["a negative amount", { rows: [{ ...row, amount: money("-1 USD") }] }, "[0].rows[0].amount.amountMinor"],
    ["a row in another currency", { rows: [{ ...row, amount: money("1 EUR") }] }, "[0].rows[0].amount.currency"],
    ["a row that asks nothing", { rows: [{ ...row, members: [] }] }, "[0].rows[0].members"],
    ["a member nobody knows", { rows: [{ ...row, members: ["SHOE_SIZE"] }] }, "[0].rows[0].members[0]"],
    ["an unknown funding", { rows: [{ ...row, funding: "CARD" }] }, "[0].rows[0].funding"],
    [
      "two words on where to",
      { rows: [{ ...row, destination: "EEA", receivingCountries: ["DE"] }] },
      "[0].rows[0].destination",
    ],
  ])("is refused with %s, by its path", (_what, part, path) => {
    expect(faultsOf(part)).toEqual([path]);
  });

  test("is one for each country", () => {
    const [us, eu] = [profile("US_BSA"), profile("EU_TFR", { originCountries: ["DE", "DEU", "FR"] })];
    expect(countryOfTwo([us, eu])).toBeUndefined();
    expect(
      countryOfTwo([
        us,
        eu,
        profile("OWN", { originCountries: ["FR"], currency: "EUR", rows: [{ ...row, amount: money("1 EUR") }] }),
      ]),
    ).toBe("FRA");
  });
});
