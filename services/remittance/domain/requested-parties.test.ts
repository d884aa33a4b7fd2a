import { knownParties, partiesOf } from "./requested-parties.js";

const sender = { customerId: "c1", customerCode: "C-1", name: "Ada Obi", country: "USA" };
const recipient = { customerId: "c1", customerCode: "B-1", name: "Ngozi Okafor", country: "NGA" };
const transferInformation = {
  originCountry: "USA",
  receivingCountry: "NGA",
  remittancePurpose: "family",
  sourceOfFunds: "salary",
};
const holder = (value: string, key = "accountholdername") => [{ key, value }];
const transaction = { sender, recipient, transferInformation, creditParty: holder("Ngozi Okafor") };
const rolesOf = (creditParty: ReturnType<typeof holder>) =>
  partiesOf({ ...transaction, creditParty }).map(({ role }) => role);

test("what is known of both sides is asked about, each country once", () => {
  const parties = knownParties(
    { dateOfBirth: "1990-04-30", nationality: "NGA", address: { country: "USA" } },
    { kind: "PERSON", dateOfBirth: "1988-03-14", nationality: "GHA", address: { lines: [], city: "", country: "NGA" } },
  )!;
  expect(partiesOf({ ...transaction, parties })).toEqual([
    { role: "SENDER", name: "Ada Obi", kind: "PERSON", dateOfBirth: "1990-04-30", countries: ["USA", "NGA"] },
    { role: "RECIPIENT", name: "Ngozi Okafor", kind: "PERSON", dateOfBirth: "1988-03-14", countries: ["NGA", "GHA"] },
  ]);
});

test("of a transaction that was begun before the details were kept, what it has is asked", () => {
  expect(knownParties(undefined, undefined)).toBeUndefined();
  expect(partiesOf(transaction)).toEqual([
    { role: "SENDER", name: "Ada Obi", kind: "PERSON", dateOfBirth: "", countries: ["USA"] },
    { role: "RECIPIENT", name: "Ngozi Okafor", kind: "UNKNOWN", dateOfBirth: "", countries: ["NGA"] },
  ]);
});

test("an account in another country than the recipient's adds that country", () => {
  const parties = partiesOf({ ...transaction, recipient: { ...recipient, country: "GHA" } });
  expect(parties[1]!.countries).toEqual(["GHA", "NGA"]);
});

test("who owns the account is asked about where it is somebody else", () => {
  const creditParty = holder("Acme Trading Ltd");
  const parties = knownParties(undefined, { kind: "PERSON", dateOfBirth: "1988-03-14" })!;
  expect(partiesOf({ ...transaction, creditParty, parties })[2]).toEqual({
    role: "ACCOUNT_HOLDER",
    name: "Acme Trading Ltd",
    kind: "UNKNOWN",
    dateOfBirth: "",
    countries: ["NGA"],
  });
  expect(rolesOf(holder("Ngozi N. Okafor"))).toContain("ACCOUNT_HOLDER");
  expect(rolesOf(holder("Emeka Okafor", "recipientname"))).toContain("ACCOUNT_HOLDER");
  expect(rolesOf(holder("\u{1f600}"))).toContain("ACCOUNT_HOLDER");
});

test.each(["OKAFOR, Ngozi", "ngozi okafor", "Okafor-Ngozi", "Ｎｇｏｚｉ Okafor"])(
  "%s is the recipient, as a bank writes it",
  (name) => expect(rolesOf(holder(name))).toEqual(["SENDER", "RECIPIENT"]),
);

test("a wallet names no owner: compliance knows them as a customer", () => {
  expect(rolesOf(holder("1002003004", "walletaccountno"))).toEqual(["SENDER", "RECIPIENT"]);
});
