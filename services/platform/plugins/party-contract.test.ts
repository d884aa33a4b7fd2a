import { samplePartiesOf } from "../../../test/support/order-parties.js";
import { partiesShape, uniqueIdOf } from "./party-contract.js";
import { payoutContractOf } from "./payout-version.js";

const parties = samplePartiesOf(uniqueIdOf("0f8fad5b-d9cb-469f-a165-70867728950e"));
const { originator, beneficiary } = parties;
const company = { ...originator, kind: "COMPANY", lei: "506700GE1G29325QX363" };
const home = originator.address!;
const faultsOf = (given: unknown) =>
  partiesShape.safeParse(given).error?.issues.map(({ path }) => path.join(".")) ?? ([] as string[]);

test("who pays, who is paid and why come through unaltered, a person's and a company's", () => {
  expect(JSON.stringify(partiesShape.parse(parties))).toBe(JSON.stringify(parties));
  expect(partiesShape.parse({ ...parties, originator: company }).originator).toEqual(company);
  expect(originator.uniqueId).toHaveLength(32);
});

test("a length is of characters as people count them, in every script", () => {
  expect(faultsOf({ ...parties, originator: { ...originator, name: "𠮷".repeat(70) } })).toEqual([]);
  expect(faultsOf({ ...parties, originator: { ...originator, name: "𠮷".repeat(71) } })).toEqual(["originator.name"]);
});

test.each<[string, object, string]>([
  ["a name of 71", { originator: { ...originator, name: "x".repeat(71) } }, "originator.name"],
  ["a name of two lines", { beneficiary: { ...beneficiary, name: "Ngozi\nOkafor" } }, "beneficiary.name"],
  ["an account of 36", { beneficiary: { ...beneficiary, account: "1".repeat(36) } }, "beneficiary.account"],
  [
    "a country without a town",
    { originator: { ...originator, address: { ...home, city: "" } } },
    "originator.address.city",
  ],
  [
    "three lines",
    { originator: { ...originator, address: { ...home, lines: ["1", "2", "3"] } } },
    "originator.address.lines",
  ],
  ["a country of two letters", { beneficiary: { ...beneficiary, country: "NG" } }, "beneficiary.country"],
  ["a country that there is not", { originator: { ...originator, nationality: "ZZZ" } }, "originator.nationality"],
  ["an identifier of another one", { originator: { ...company, lei: "506700GE1G29325QX364" } }, "originator.lei"],
  ["a birth in no calendar", { originator: { ...originator, dateOfBirth: "1990-02-30" } }, "originator.dateOfBirth"],
  ["an id with dashes", { originator: { ...originator, uniqueId: "a-b" } }, "originator.uniqueId"],
  ["a purpose of 141", { purpose: "x".repeat(141) }, "purpose"],
])("%s is refused at its path", (_name, part, path) => {
  expect(faultsOf({ ...parties, ...part })).toEqual([path]);
});

test("files of banks always carry it, a connector over HTTP where its configuration says so", () => {
  const contractOf = (type: string, contract?: number) => payoutContractOf({ type, configuration: { contract } });
  expect([contractOf("iso20022"), contractOf("manilla-http", 2)]).toEqual([2, 2]);
  expect([contractOf("manilla-http"), contractOf("manilla-http", 1), contractOf("manilla-http", 3)]).toEqual([1, 1, 1]);
});
