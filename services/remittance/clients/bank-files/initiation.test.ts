import fc from "fast-check";
import { minorDigits } from "../../../kernel/codes/currencies.js";
import { bankConfiguration } from "../../../../test/support/file-bank.js";
import type { PayoutOrder } from "../payout-connector.js";
import { bankConfigurationOf } from "./configuration.js";
import { initiationKind, initiationOf, unpayable } from "./initiation.js";
import { batchIdOf, bankIdOf, nameOf } from "./names.js";
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
    account: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/),
    characters: fc.constantFrom("LATIN", "UTF8"),
  });
  let valid = 0;
  await fc.assert(
    fc.asyncProperty(orders, async ({ minor, currency, name, account, characters }) => {
      const one = order({ amount: { minor, currency }, party: { accountholdername: name, bankaccountno: account } });
      const set = { ...at, characters: characters as "LATIN" };
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
    { numRuns: 15 },
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

test("names are spelled out in Latin, or left as they are", () => {
  expect(nameOf("Žofie Müller & Søn", { characters: "LATIN" }, 70)).toBe("Zofie Muller Son");
  expect(nameOf("Ольга Петрова", { characters: "LATIN" }, 70)).toBe("Ol'ga Petrova");
  expect(nameOf("Ольга <Петрова>", { characters: "UTF8" }, 70)).toBe("Ольга <Петрова>");
  expect(nameOf("x".repeat(99), { characters: "LATIN" }, 70)).toHaveLength(70);
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
