import { maskedParty, unmaskedParty } from "./party-masking.js";

const document = (value: string) => ({ key: "iddocumentnumber", value });
const account = { key: "bankaccountno", value: "3001234560" };

test("of a document's number the last three are shown, of a short one nothing; accounts as they are", () => {
  const shown = (value: string) => maskedParty([document(value)])[0]!.value;
  expect(shown("A1234567")).toBe("*****567");
  expect(shown("1234567")).toBe("*****567");
  for (const short of ["123456", "1234", "12", ""]) expect(shown(short)).toBe("*****");
  expect(maskedParty([account])).toEqual([account]);
});

test("who repeats what was shown means what is stored, and nothing else", () => {
  const stored = [document("A1234567"), account];
  expect(unmaskedParty(maskedParty(stored), stored)).toEqual(stored);
  expect(unmaskedParty([document("*****568")], stored)).toEqual([document("*****568")]);
  expect(unmaskedParty([document("*****567")], [account])).toEqual([document("*****567")]);
});
