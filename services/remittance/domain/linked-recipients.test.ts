import { recipientIdentities, type ToWhom } from "./linked-recipients.js";

const party = (code: string, name: string) => ({ customerId: "c1", customerCode: code, name, country: "GBR" });
const information = { originCountry: "USA", remittancePurpose: "", sourceOfFunds: "salary" };
const account = (bankaccountno: string, accountholdername = "") => [
  { key: "bankaccountno", value: bankaccountno },
  ...(accountholdername === "" ? [] : [{ key: "accountholdername", value: accountholdername }]),
];
let saved = 0;
/** Each to another saved recipient, so that name and account alone tell. */
const to = (name: string, creditParty: ToWhom["creditParty"], receivingCountry = "GBR"): ToWhom => ({
  beneficiaryId: `b-${(saved += 1)}`,
  recipient: party(`B-${saved}`, name),
  creditParty,
  transferInformation: { ...information, receivingCountry },
});
const areLinked = (one: ToWhom, other: ToWhom): boolean => {
  const known = new Set(recipientIdentities(one));
  return recipientIdentities(other).some((identity) => known.has(identity));
};

test.each([
  ["an IBAN and its number at home", "GB29 NWBK 6016 1331 9268 19", "31926819"],
  ["an IBAN in small letters and in groups", "gb29nwbk60161331926819", "GB29 NWBK-6016-1331-9268-19"],
  ["an IBAN and its BBAN", "TR33 0006 1005 1978 6457 8413 26", "0006100519786457841326"],
  ["an IBAN and its number without zeros", "PK36SCBL0000001123456702", "1123456702"],
  ["an IBAN whose number has a check digit", "SA03 8000 0000 6080 1016 7519", "608010167519"],
])("%s are one account", (_what, one, other) => {
  expect(areLinked(to("Ada Obi", account(one)), to("Bola Ade", account(other)))).toBe(true);
});

test.each([
  ["another number", account("31926819"), account("31926818")],
  ["a telephone with the digits of an account", account("31926819"), [{ key: "mobilenumber", value: "31926819" }]],
])("%s is another one", (_what, one, other) => {
  expect(areLinked(to("Ada Obi", one), to("Bola Ade", other))).toBe(false);
});

test("one account in two countries is two", () => {
  expect(areLinked(to("Ada Obi", account("31926819")), to("Bola Ade", account("31926819"), "IRL"))).toBe(false);
});

test.each([
  ["Ada Obi", "Obi Ada"],
  ["Ada Obi", "Mrs. OBI,  ada"],
  ["Jürgen Müller", "Mueller Juergen"],
  ["Chiamaka O'Brien", "Chiamaka O’Brien"],
])("%s is %s with another account, in the same country", (one, other) => {
  expect(areLinked(to(one, account("31926819")), to(other, account("41926819")))).toBe(true);
  expect(areLinked(to(one, account("31926819"), "NGA"), to(other, account("41926819")))).toBe(false);
});

test("who holds an account, or collects, is who is paid", () => {
  const holder = to("Shop", account("31926819", "Ada Obi"));
  const collector = to("Bola Ade", [{ key: "recipientname", value: "Obi Ada" }]);
  expect(areLinked(holder, collector)).toBe(true);
  expect(areLinked(holder, to("Bola Ade", account("41926819", "Bola Ade")))).toBe(false);
});

test("what has no letter or digit is nobody's name", () => {
  expect(recipientIdentities(to("- .", [])).filter((identity) => identity.startsWith("name="))).toEqual([]);
});
