import {
  acceptedVerdict,
  checkedMethodsOf,
  findingOf,
  isAbout,
  isCheckedAtTransaction,
  payeeCheckStandsMs,
  payeeQuestions,
  verdictFor,
  verdictOf,
  type PayeeCheck,
} from "./payee-check.js";
import type { CorridorContent, PayeeCheckTime } from "./corridor.js";

const party = [
  { key: "bankname", value: "First Bank" },
  { key: "bankaccountno", value: "3012345671" },
  { key: "accountholdername", value: "Dr. Ngozi Okafor" },
];
const place = { country: "NGA", currency: "NGN" };
const [question] = payeeQuestions(party, ["ACCOUNTPAYMENT"], { ...place, name: "Ngozi Okafor", kind: "PERSON" });
const checkedAt = new Date("2026-11-30T10:00:00Z");
const later = (ms: number) => ({ at: new Date(checkedAt.getTime() + ms), by: "u1" });
const check = (result: "MTCH" | "CMTC" | "NMTC", accountName = "Ngozi Bello"): PayeeCheck => ({
  payeeCheckId: "p1",
  customerId: "c1",
  findings: [findingOf(question!, { result, accountName })],
  checkedAt,
});
const requested = { customerId: "c1", questions: [question!], path: "payeeCheckId" };

test("a question has the account without its holder's name, the plain name, and a kind where the holder is the recipient", () => {
  expect(question).toEqual({
    account: { bankname: "First Bank", bankaccountno: "3012345671", ...place },
    name: "Ngozi Okafor",
    kind: "PERSON",
  });
  const [other] = payeeQuestions(party, ["ACCOUNTPAYMENT"], { ...place, name: "Chidi Eze", kind: "PERSON" });
  expect(other!.kind).toBe("UNKNOWN");
  expect(payeeQuestions(party, ["CASH_PICKUP", "WALLET"], { ...place, name: "Ngozi Okafor" })).toEqual([]);
});

test.each<[PayeeCheckTime, boolean, boolean]>([
  ["OFF", false, false],
  ["AT_RECIPIENT", true, false],
  ["AT_TRANSACTION", true, true],
  ["BOTH", true, true],
])("%s checks an order to an account of which nothing is known %p, and to a known one %p", (time, unknown, known) => {
  expect([isCheckedAtTransaction(time, false), isCheckedAtTransaction(time, true)]).toEqual([unknown, known]);
});

test("a recipient's ways of delivery are checked as open corridors to its currency say", () => {
  const corridor = (payeeCheck: PayeeCheckTime, part: object = {}) =>
    ({
      receivingCurrency: "NGN",
      enabled: true,
      deliveries: [{ method: "MOBILE_MONEY", partner: "", estimateMinutes: 5, payeeCheck }],
      ...part,
    }) as unknown as CorridorContent;
  const methods = ["MOBILE_MONEY", "ACCOUNTPAYMENT"] as const;
  const of = (...corridors: CorridorContent[]) =>
    checkedMethodsOf(corridors, { currency: "NGN", deliveryMethods: methods });
  expect(of(corridor("OFF"), corridor("BOTH"))).toEqual(["MOBILE_MONEY"]);
  expect(of(corridor("AT_TRANSACTION"))).toEqual([]);
  expect(of(corridor("BOTH", { enabled: false }), corridor("BOTH", { receivingCurrency: "USD" }))).toEqual([]);
});

test("a warning stands for 15 minutes to the millisecond, and a match is none", () => {
  const at = (ms: number) => () => acceptedVerdict(check("CMTC"), requested, later(ms));
  expect(at(payeeCheckStandsMs)()).toMatchObject({ result: "CMTC", accountName: "Ngozi Bello", acceptedBy: "u1" });
  expect(at(payeeCheckStandsMs + 1)).toThrow(expect.objectContaining({ code: "PAYEE_CHECK_EXPIRED" }));
  expect(() => acceptedVerdict(check("MTCH"), requested, later(0))).toThrow(/another account, name or customer/);
  expect(() => acceptedVerdict(check("NMTC"), { ...requested, questions: [] }, later(0))).toThrow(/another account/);
  expect(isAbout(check("CMTC"), "c1", [question!], later(payeeCheckStandsMs).at)).toBe(true);
  expect(isAbout(check("CMTC"), "c1", [question!], later(payeeCheckStandsMs + 1).at)).toBe(false);
});

test("of several accounts the worst counts, and the name of a close one is told", () => {
  const other = { ...question!, account: { ...question!.account, bankaccountno: "1" } };
  const findings = [findingOf(question!, { result: "MTCH", accountName: "" })];
  const close = findingOf(other, { result: "CMTC", accountName: "Ngozi Bello" });
  const refusal = (all: PayeeCheck["findings"], of = [question!, other]) => {
    return () => verdictOf({ ...check("MTCH"), findings: all }, of);
  };
  expect(refusal(findings)()).toEqual({ result: "MTCH", checkedAt, methods: ["ACCOUNTPAYMENT"] });
  expect(refusal([...findings, close])).toThrow(expect.objectContaining({ code: "PAYEE_NAME_DIFFERS" }));
  expect(refusal([...findings, close], [question!])()).toMatchObject({ result: "MTCH" });
  const none = findingOf(other, { result: "NMTC", accountName: "Chidi Eze" });
  expect(refusal([close, { ...none, question: question! }])).toThrow(
    expect.objectContaining({
      code: "PAYEE_NOT_MATCHED",
      details: expect.objectContaining({ figures: expect.objectContaining({ accountName: "Ngozi Bello" }) }),
    }),
  );
});

test("one id of two accounts keeps for each what was found of it", () => {
  const mobile = { ...question!, account: { mobilenumber: "+2348031234567", ...place } };
  const close = findingOf(question!, { result: "CMTC", accountName: "Adam Obi" });
  const both = { ...check("MTCH"), findings: [close, findingOf(mobile, { result: "NMTC", accountName: "" })] };
  const kept = (...questions: (typeof requested)["questions"]) =>
    acceptedVerdict(both, { ...requested, questions }, later(1));
  expect(kept(question!)).toMatchObject({ result: "CMTC", accountName: "Adam Obi", methods: ["ACCOUNTPAYMENT"] });
  expect(kept(mobile)).toMatchObject({ result: "NMTC", methods: ["MOBILE_MONEY"] });
  const matched = { ...both, findings: [findingOf(question!, { result: "MTCH", accountName: "" }), both.findings[1]!] };
  const plain = acceptedVerdict(matched, requested, later(1));
  expect(plain).toEqual({ result: "MTCH", checkedAt, methods: ["ACCOUNTPAYMENT"] });
});

test("a recipient's verdict speaks of the accounts that it is about, where a partner has said something", () => {
  const known = { result: "MTCH", checkedAt, methods: ["ACCOUNTPAYMENT" as const] } as const;
  expect(verdictFor({ ...known, methods: [...known.methods] }, "ACCOUNTPAYMENT")).toEqual({
    result: "MTCH",
    checkedAt,
  });
  expect(verdictFor({ ...known, methods: [...known.methods] }, "MOBILE_MONEY")).toBeUndefined();
  expect(verdictFor({ ...known, result: "NO_ANSWER", methods: [...known.methods] }, "ACCOUNTPAYMENT")).toBeUndefined();
  expect(verdictFor(undefined, "ACCOUNTPAYMENT")).toBeUndefined();
});
