import fc from "fast-check";
import { minorDigits } from "../../../kernel/codes/currencies.js";
import { bankConfiguration } from "../../../../test/support/file-bank.js";
import { samplePartiesOf } from "../../../../test/support/order-parties.js";
import type { OrderParties, Originator } from "../../../platform/plugins/party-contract.js";
import type { PayoutOrder } from "../payout-connector.js";
import { bankConfigurationOf } from "./configuration.js";
import { unpayable } from "./fit.js";
import { initiationKind, initiationOf } from "./initiation.js";
import { batchIdOf, bankIdOf, spelled } from "./names.js";
import { createSchemaValidation } from "./schemas.js";
import { FileFault, first, readElements, textAt } from "./xml.js";

jest.setTimeout(120_000);

const at = bankConfigurationOf(bankConfiguration);
const message = { messageId: "M1", createdAt: new Date("2026-11-24T23:30:15.123Z"), timeZone: "UTC" };
const validate = createSchemaValidation();

function order(part: Partial<PayoutOrder> & { party?: Record<string, string> } = {}): PayoutOrder {
  const { party, ...rest } = part;
  const whole = {
    accountholdername: "Ngozi Okafor",
    bankaccountno: "DE89 3704 0044 0532 0130 00",
    swiftbic: "COBADEFFXXX",
    ...party,
  };
  return {
    reference: "0f8fad5b-d9cb-469f-a165-70867728950e",
    amount: { minor: 1_050n, currency: "EUR" },
    method: "ACCOUNTPAYMENT",
    creditParty: Object.entries(whole).map(([key, value]) => ({ key, value })),
    ...rest,
  };
}

async function partsOf(text: string, path: string) {
  const found: Parameters<Parameters<typeof readElements>[2]>[1][] = [];
  await readElements(text, new Set([path]), (_path, one) => found.push(one));
  return found;
}

test("a file of orders is valid, in the order and with the sums that the bank checks", async () => {
  const orders = [
    order(),
    order({
      reference: "second",
      amount: { minor: 1_000n, currency: "JPY" },
      party: { swiftbic: "", bankcode: "12345" },
    }),
    order({ reference: "third", amount: { minor: 1n, currency: "KWD" }, party: { bankaccountno: "30-0123 4567" } }),
  ];
  const text = initiationOf({ ...at, recipientClearingSystem: "USABA" }, message, orders);
  await validate(initiationKind, text);
  const [header] = await partsOf(text, "CstmrCdtTrfInitn/GrpHdr");
  expect(["MsgId", "CreDtTm", "NbOfTxs", "CtrlSum"].map((name) => textAt(header, name))).toEqual([
    "M1",
    "2026-11-24T23:30:15Z",
    "3",
    "1010.501",
  ]);
  const transfers = await partsOf(text, "CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf");
  expect(transfers.map((one) => textAt(one, "Amt/InstdAmt"))).toEqual(["10.50", "1000", "0.001"]);
  expect(transfers.map((one) => textAt(one, "PmtId/EndToEndId"))).toEqual([
    "0f8fad5bd9cb469fa16570867728950e",
    "second",
    "third",
  ]);
  expect(textAt(transfers[0], "CdtrAcct/Id/IBAN")).toBe("DE89370400440532013000");
  expect(textAt(transfers[1], "CdtrAgt/FinInstnId/ClrSysMmbId/MmbId")).toBe("12345");
  expect(textAt(transfers[2], "CdtrAcct/Id/Othr/Id")).toBe("3001234567");
});

test("the day of execution, charges, level and booking are as configured", async () => {
  const set = { ...at, executionDays: 2, chargeBearer: "SHAR", booking: "BATCH", serviceLevel: "URGP" } as const;
  const text = initiationOf(
    {
      ...set,
      debtorIban: undefined,
      debtorAccount: "12-345",
      bic: undefined,
      clearingMemberId: "021000021",
      clearingSystem: "USABA",
    },
    message,
    [order()],
  );
  await validate(initiationKind, text);
  const payment = "CstmrCdtTrfInitn/PmtInf";
  const requested = ["ReqdExctnDt", "ChrgBr", "BtchBookg", "PmtTpInf", "DbtrAcct", "DbtrAgt"];
  const found = await Promise.all(requested.map(async (name) => (await partsOf(text, `${payment}/${name}`))[0]));
  expect(textAt(found[0], "Dt")).toBe("2026-11-26");
  expect([found[1]?.text, found[2]?.text]).toEqual(["SHAR", "true"]);
  expect(textAt(found[3], "SvcLvl/Cd")).toBe("URGP");
  expect(textAt(found[4], "Id/Othr/Id")).toBe("12345");
  expect(textAt(found[5], "FinInstnId/ClrSysMmbId/ClrSysId/Cd")).toBe("USABA");
});

test("0.1 + 0.2 in a control sum is 0.3", () => {
  const some = [10n, 20n].map((minor) => order({ reference: `r${minor}`, amount: { minor, currency: "EUR" } }));
  expect(initiationOf(at, message, some)).toContain("<CtrlSum>0.3</CtrlSum>");
});

test("any order that can be paid makes a valid file, with the amount as it was", async () => {
  const names = fc.string({ unit: "binary", minLength: 1, maxLength: 140 });
  const orders = fc.record({
    minor: fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }),
    currency: fc.constantFrom("EUR", "JPY", "KWD", "USD"),
    name: names,
    line: fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    purpose: fc.constantFrom("FAMILY_SUPPORT", "OTHER"),
    account: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/),
    characters: fc.constantFrom("LATIN", "UTF8"),
  });
  let valid = 0;
  await fc.assert(
    fc.asyncProperty(orders, async ({ minor, currency, name, line, account, purpose, characters }) => {
      const address = { lines: [line], city: "Lagos", country: "NGA" };
      const its = { ...parties, purpose, remittanceText: line, originator: { ...originator, name, address } };
      const party = { accountholdername: name, bankaccountno: account };
      const one = order({ amount: { minor, currency }, party, parties: its });
      const set = { ...at, characters: characters as "LATIN", purposes: { FAMILY_SUPPORT: "GIFT" } };
      if (unpayable(one, set) !== undefined) return;
      const text = initiationOf(set, message, [one]);
      await validate(initiationKind, text);
      const [transfer] = await partsOf(text, "CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf");
      const [whole = "", decimals = ""] = textAt(transfer, "Amt/InstdAmt").split(".");
      expect(BigInt(whole + decimals)).toBe(minor);
      expect(decimals).toHaveLength(minorDigits(currency));
      if (characters === "LATIN") expect(textAt(transfer, "Cdtr/Nm")).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]{1,70}$/);
      valid += 1;
    }),
    { numRuns: 25 },
  );
  expect(valid).toBeGreaterThan(0);
});

test("what no file can have is refused, and why", () => {
  expect(unpayable(order({ method: "CASH_PICKUP" }), at)).toBe("this bank pays to accounts alone");
  const large = order({ amount: { minor: 1_000_000_000_000_000_000n, currency: "EUR" } });
  expect(unpayable(large, at)).toBe("the amount is larger than a file can have");
  expect(unpayable(order({ party: { accountholdername: "***" } }), at)).toBe("the account's holder has no name");
  expect(unpayable(order(), at)).toBeUndefined();
});

test("a reference is at most 35 characters, and two are never one", () => {
  expect(bankIdOf("0f8fad5b-d9cb-469f-a165-70867728950e")).toBe("0f8fad5bd9cb469fa16570867728950e");
  expect(bankIdOf("short")).toBe("short");
  const long = [1, 2].map((each) => bankIdOf(`${"x".repeat(60)}${each}`));
  expect(long.every((id) => id.length <= 35)).toBe(true);
  expect(new Set([...long, bankIdOf("/x"), bankIdOf("a b")]).size).toBe(4);
  expect(batchIdOf("b", ["r1", "r2"])).toBe(batchIdOf("b", ["r2", "r1"]));
  expect(batchIdOf("b", ["r1"])).not.toBe(batchIdOf("b", ["r1", "r2"]));
});

test("texts are spelled out in Latin, or left as they are, and never cut", () => {
  expect(spelled("Žofie Müller & Søn", { characters: "LATIN" })).toBe("Zofie Muller Son");
  expect(spelled("Ольга Петрова", { characters: "LATIN" })).toBe("Ol'ga Petrova");
  expect(spelled("Ольга <Петрова>", { characters: "UTF8" })).toBe("Ольга <Петрова>");
  expect(spelled("x".repeat(99), { characters: "LATIN" })).toHaveLength(99);
});

const parties = samplePartiesOf("0f8fad5bd9cb469fa16570867728950e");
const { originator, beneficiary } = parties;
const transfer = "CstmrCdtTrfInitn/PmtInf/CdtTrfTxInf";
const named = (part: Partial<OrderParties> = {}) => order({ parties: { ...parties, ...part } });
const fromTo = { accountholdername: "Ngozi Okafor" };

test("it says who pays, through whom, who is paid and why, in the schema's order, with countries of two letters", async () => {
  const set = { ...at, purposes: { FAMILY_SUPPORT: "GIFT" } };
  const text = initiationOf(set, message, [named()]);
  await validate(initiationKind, text);
  const [one] = await partsOf(text, transfer);
  expect(one?.children.map(({ name }) => name)).toEqual([
    "PmtId",
    "Amt",
    "UltmtDbtr",
    "CdtrAgt",
    "Cdtr",
    "CdtrAcct",
    "Purp",
    "RmtInf",
  ]);
  expect(text).toContain(
    "<UltmtDbtr><Nm>Ada Obi</Nm><PstlAdr><PstCd>E14 9GE</PstCd><TwnNm>London</TwnNm><Ctry>GB</Ctry>" +
      "<AdrLine>12 Marina Road</AdrLine><AdrLine>Flat 4</AdrLine></PstlAdr><Id><PrvtId><DtAndPlcOfBirth>" +
      "<BirthDt>1990-04-12</BirthDt><CityOfBirth>Enugu</CityOfBirth><CtryOfBirth>NG</CtryOfBirth>" +
      "</DtAndPlcOfBirth></PrvtId></Id></UltmtDbtr>",
  );
  expect(text).toContain(
    "<Dbtr><Nm>Acme Remittance Ltd</Nm><PstlAdr><PstCd>10117</PstCd><TwnNm>Berlin</TwnNm><Ctry>DE</Ctry>" +
      "<AdrLine>Unter den Linden 1</AdrLine></PstlAdr></Dbtr>",
  );
  expect(text).toContain(
    "<Cdtr><Nm>Ngozi Okafor</Nm><PstlAdr><TwnNm>Lagos</TwnNm><Ctry>NG</Ctry><AdrLine>7 Broad Street</AdrLine></PstlAdr></Cdtr>",
  );
  expect(textAt(one, "PmtId/EndToEndId")).toBe(originator.uniqueId);
  expect([textAt(one, "Purp/Cd"), textAt(one, "RmtInf/Ustrd")]).toEqual(["GIFT", "For the roof"]);
});

test("a purpose without a code of ISO's list says none", () => {
  expect(initiationOf(at, message, [named()])).not.toContain("<Purp>");
  const proto = { ...at, purposes: { FAMILY_SUPPORT: "GIFT" } };
  expect(initiationOf(proto, message, [named({ purpose: "toString" })])).not.toContain("<Purp>");
});

test("a company is known by its LEI, else by the number that it has here", async () => {
  const company: Originator = { kind: "COMPANY", name: "Obi Ltd", uniqueId: originator.uniqueId, customerCode: "C-2" };
  const withLei = initiationOf(at, message, [named({ originator: { ...company, lei: "506700GE1G29325QX363" } })]);
  const without = initiationOf(at, message, [named({ originator: company })]);
  await validate(initiationKind, withLei);
  await validate(initiationKind, without);
  expect(withLei).toContain("<Id><OrgId><LEI>506700GE1G29325QX363</LEI></OrgId></Id>");
  expect(without).toContain("<OrgId><Othr><Id>C-2</Id><SchmeNm><Cd>CUST</Cd></SchmeNm></Othr></OrgId>");
});

test("who has no known birth is known by a document and the number here, of which SEPA takes one", async () => {
  const { dateOfBirth: _birth, ...rest } = originator;
  const ids = async (serviceLevel: string) => {
    const text = initiationOf({ ...at, serviceLevel }, message, [named({ originator: rest })]);
    await validate(initiationKind, text);
    const [id] = await partsOf(text, `${transfer}/UltmtDbtr/Id/PrvtId`);
    return id?.children.map((one) => [textAt(one, "Id"), textAt(one, "SchmeNm/Cd"), textAt(one, "Issr")]);
  };
  const passport = ["A01234567", "CCPT", "NG"];
  expect(await ids("SEPA")).toEqual([passport]);
  expect(await ids("URGP")).toEqual([passport, ["C-10001", "CUST", ""]]);
});

test("an account of somebody else's names both", async () => {
  const text = initiationOf(at, message, [order({ parties, party: { accountholdername: "Emeka Eze" } })]);
  await validate(initiationKind, text);
  const [one] = await partsOf(text, transfer);
  expect([textAt(one, "Cdtr/Nm"), textAt(one, "UltmtCdtr/Nm")]).toEqual(["Emeka Eze", "Ngozi Okafor"]);
  expect([textAt(one, "Cdtr/PstlAdr/TwnNm"), textAt(one, "UltmtCdtr/PstlAdr/TwnNm")]).toEqual(["", "Lagos"]);
});

const long = (part: Partial<OrderParties>) => order({ parties: { ...parties, ...part }, party: fromTo });

test.each<[string, PayoutOrder, string]>([
  [
    "a name that is longer in Latin",
    long({ originator: { ...originator, name: "щ".repeat(60) } }),
    "the originator's name takes 240 characters, and a file has 70 of them",
  ],
  [
    "a name without a letter",
    long({ originator: { ...originator, name: "***" } }),
    "the originator's name has no character that the bank takes",
  ],
  [
    "a text beyond 140",
    long({ remittanceText: "x".repeat(141) }),
    "the text for the beneficiary takes 141 characters, and a file has 140 of them",
  ],
  [
    "a town that is longer in Latin",
    long({ beneficiary: { ...beneficiary, address: { lines: [], city: "Щ".repeat(35), country: "UKR" } } }),
    "the beneficiary's town takes 140 characters, and a file has 35 of them",
  ],
  [
    "an account holder beyond 70",
    order({ party: { accountholdername: "x".repeat(71) } }),
    "the account holder's name takes 71 characters, and a file has 70 of them",
  ],
  ["a bank's code beyond 35", order({ party: { bankcode: "1".repeat(36) } }), "the bank's code is too long for a file"],
])("%s is refused in words that name nobody", (_name, one, said) => {
  expect(unpayable(one, at)).toBe(said);
});

test("whoever fits in their own script is paid by a bank that takes it", async () => {
  const set = { ...at, characters: "UTF8" } as const;
  const one = long({ originator: { ...originator, name: "щ".repeat(70) }, remittanceText: "щ".repeat(140) });
  expect(unpayable(one, set)).toBeUndefined();
  const text = initiationOf(set, message, [one]);
  await validate(initiationKind, text);
  expect(text).toContain(`<Nm>${"щ".repeat(70)}</Nm>`);
});

test("a schema's fault names the element, and no value", async () => {
  const text = initiationOf(at, message, [order()]).replace("<BICFI>COBADEFFXXX", "<BICFI>secret of Ngozi");
  const fault = await validate(initiationKind, text).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(FileFault);
  expect((fault as Error).message).toContain("BICFI");
  expect((fault as Error).message).not.toContain("Ngozi");
  expect(first(undefined, "x")).toBeUndefined();
});

test.each([
  ["UTC", 0, "2026-11-24"],
  ["Europe/Berlin", 0, "2026-11-25"],
  ["Pacific/Auckland", 1, "2026-11-26"],
  ["America/New_York", 0, "2026-11-24"],
])("is executed on a day of the zone %s, %s days on", async (timeZone, executionDays, day) => {
  const text = initiationOf({ ...at, executionDays }, { ...message, timeZone }, [order()]);
  const [payment] = await partsOf(text, "CstmrCdtTrfInitn/PmtInf");
  expect(textAt(payment, "ReqdExctnDt/Dt")).toBe(day);
});
