import { Refusal } from "../../kernel/refusal.js";
import { checkCreditParty, sameParty, type KeyValue } from "./credit-party.js";
import type { DeliveryMethod } from "./corridor.js";

const pairs = (fields: Record<string, string>): KeyValue[] =>
  Object.entries(fields).map(([key, value]) => ({ key, value }));
const bank = {
  bankname: "First Bank",
  bankaccountno: "3012345671",
  accountholdername: "Ngozi Okafor",
  bankcode: "011",
};
const mobile = { mobileoperator: "MPESA", mobilenumber: "+254 712 345678", accountholdername: "Wanjiru Kamau" };
const cash = { payoutpointid: "pp-1", recipientname: "Ann Lee" };

function refused(fields: Record<string, string> | KeyValue[], ...methods: DeliveryMethod[]) {
  try {
    checkCreditParty(Array.isArray(fields) ? fields : pairs(fields), methods);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const { code, details } = error as Refusal;
    return { code, faults: details!.errors!.map(({ path, message }) => `${path} ${message}`) };
  }
  return undefined;
}
const without = (fields: Record<string, string>, key: string) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));

describe("checkCreditParty", () => {
  it("takes what each method needs and may have", () => {
    expect(refused(bank, "ACCOUNTPAYMENT")).toBeUndefined();
    expect(refused({ ...without(bank, "bankcode"), swiftbic: "FBNINGLA" }, "ACCOUNTPAYMENT")).toBeUndefined();
    expect(refused(mobile, "MOBILE_MONEY")).toBeUndefined();
    expect(refused({ ...cash, iddocumenttype: "PASSPORT", iddocumentnumber: "A1" }, "CASH_PICKUP")).toBeUndefined();
    expect(refused({ walletaccountno: "1002003004" }, "WALLET")).toBeUndefined();
  });

  it("takes a holder's name in any one script, and none that is disguised as another", () => {
    const held = (accountholdername: string) => refused({ ...bank, accountholdername }, "ACCOUNTPAYMENT");
    for (const name of [
      "\u041d\u0433\u043e\u0437\u0438",
      "\u0410\u043d\u043d\u0430 Smith",
      "\u0646\u06af\u0648\u0632\u06cc",
      "O",
    ]) {
      expect([name, held(name)]).toEqual([name, undefined]);
    }
    const fault = { code: "CREDIT_PARTY_INVALID", faults: ["creditParty[2].value is no valid accountholdername"] };
    for (const name of ["Ng\u043ezi Okafor", "Ngo\u200bzi", "\u202eNgozi", "x".repeat(10_240)]) {
      expect([name, held(name)]).toEqual([name, fault]);
    }
    expect(refused({ ...cash, recipientname: "\u0410nn Lee" }, "CASH_PICKUP")!.code).toBe("CREDIT_PARTY_INVALID");
  });

  it("takes no holder's name without a letter: lists could not be asked about it", () => {
    for (const name of ["\u{1f642}\u{1f643}", "4711", "---", "\u02bc"]) {
      expect([name, refused({ ...bank, accountholdername: name }, "ACCOUNTPAYMENT")]).toEqual([
        name,
        {
          code: "CREDIT_PARTY_INVALID",
          faults: ["creditParty[2].value is no valid accountholdername: it must have a letter, of any script"],
        },
      ]);
      expect(refused({ ...cash, recipientname: name }, "CASH_PICKUP")!.code).toBe("CREDIT_PARTY_INVALID");
    }
    for (const name of ["3M", "7-Eleven", "\u674e"]) {
      expect(refused({ ...bank, accountholdername: name }, "ACCOUNTPAYMENT")).toBeUndefined();
    }
  });

  it.each([
    { method: "ACCOUNTPAYMENT", fields: bank, missing: "bankaccountno" },
    { method: "ACCOUNTPAYMENT", fields: bank, missing: "accountholdername" },
    { method: "MOBILE_MONEY", fields: mobile, missing: "mobileoperator" },
    { method: "MOBILE_MONEY", fields: mobile, missing: "mobilenumber" },
    { method: "MOBILE_MONEY", fields: mobile, missing: "accountholdername" },
    { method: "CASH_PICKUP", fields: cash, missing: "payoutpointid" },
    { method: "CASH_PICKUP", fields: cash, missing: "recipientname" },
  ] as const)("refuses $method without $missing", ({ method, fields, missing }) => {
    expect(refused(without(fields, missing), method)).toEqual({
      code: "CREDIT_PARTY_INVALID",
      faults: [`creditParty ${missing} is required`],
    });
  });

  it("needs a bank code or a BIC", () => {
    expect(refused(without(bank, "bankcode"), "ACCOUNTPAYMENT")).toMatchObject({
      faults: ["creditParty one of bankcode, swiftbic is required"],
    });
  });

  it("must be enough for every method of a beneficiary, whose keys it may mix", () => {
    expect(refused({ ...bank, ...mobile }, "ACCOUNTPAYMENT", "MOBILE_MONEY")).toBeUndefined();
    expect(refused(bank, "ACCOUNTPAYMENT", "MOBILE_MONEY")!.faults).toEqual([
      "creditParty mobileoperator is required",
      "creditParty mobilenumber is required",
    ]);
  });

  it("refuses keys of other methods and other spellings, naming the right one", () => {
    expect(refused({ ...bank, mobilenumber: "+254712345678" }, "ACCOUNTPAYMENT")!.code).toBe("CREDIT_PARTY_INVALID");
    const { bankcode: _left, ...rest } = bank;
    expect(refused({ bankCode: "011", swiftbic: "FBNINGLA", ...rest }, "ACCOUNTPAYMENT")!.faults).toEqual([
      "creditParty[0].key is spelled bankcode",
    ]);
  });

  it("refuses values that cannot be what they claim, without repeating them", () => {
    const faulty = { ...bank, bankaccountno: "30/12<script>", swiftbic: "SHORT" };
    const { faults } = refused(faulty, "ACCOUNTPAYMENT")!;
    expect(faults).toEqual([
      "creditParty[1].value is no valid bankaccountno",
      "creditParty[4].value is no valid swiftbic",
    ]);
    expect(refused({ ...mobile, mobilenumber: "call me" }, "MOBILE_MONEY")).toBeDefined();
    expect(refused({ ...bank, accountholdername: "x".repeat(141) }, "ACCOUNTPAYMENT")).toBeDefined();
  });

  it("refuses what is no list of pairs as bad input", () => {
    expect(refused([], "WALLET")).toMatchObject({ code: "INVALID_INPUT" });
    expect(
      refused(
        Array.from({ length: 51 }, (_, i) => ({ key: `k${i}`, value: "v" })),
        "WALLET",
      ),
    ).toMatchObject({ code: "INVALID_INPUT" });
    const odd = [
      { key: "walletaccountno", value: " " },
      { key: "walletaccountno", value: "1234" },
      { key: "", value: "x" },
    ];
    expect(refused(odd, "WALLET")).toEqual({
      code: "INVALID_INPUT",
      faults: [
        "creditParty[0].value is required",
        "creditParty[1].key is given twice",
        "creditParty[2].key is required",
      ],
    });
  });
});

describe("sameParty", () => {
  it("sees through spaces, dashes, case and order, and nothing else", () => {
    const shuffled = pairs({
      bankcode: "011",
      accountholdername: "NGOZI  OKAFOR",
      bankname: "first bank",
      bankaccountno: "3012-345-671",
    });
    expect(sameParty(pairs(bank), shuffled, "ACCOUNTPAYMENT")).toBe(true);
    expect(sameParty(pairs(bank), pairs({ ...bank, bankaccountno: "3012345679" }), "ACCOUNTPAYMENT")).toBe(false);
    expect(sameParty(pairs(bank), pairs(without(bank, "bankname")), "ACCOUNTPAYMENT")).toBe(false);
  });

  it("compares only what the method uses", () => {
    expect(sameParty(pairs({ ...bank, ...mobile }), pairs(mobile), "MOBILE_MONEY")).toBe(true);
  });
});
