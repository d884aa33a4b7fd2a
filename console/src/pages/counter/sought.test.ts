import { isCertain, soughtOf, withoutPhone } from "./sought";

it.each([
  ["Amena Belo", { name: "Amena Belo" }],
  ["  amina bello 1990-05-17 ", { name: "amina bello", dateOfBirth: "1990-05-17" }],
  ["C-AMINA", { name: "C-AMINA", customerCode: "C-AMINA" }],
  ["C-7Q2X", { document: { number: "C-7Q2X" }, customerCode: "C-7Q2X" }],
  ["+1 (202) 555-0143", { phone: "+1 (202) 555-0143", document: { number: "+1 (202) 555-0143" } }],
  ["0803 123 4567", { phone: "0803 123 4567", document: { number: "0803 123 4567" } }],
  ["A 012-34567", { document: { number: "A 012-34567" } }],
  ["李 小明", { name: "李 小明" }],
])("looks for %s as all that it may be", (typed, sought) => {
  expect(soughtOf(typed)).toEqual(sought);
});

it("looks for what is no phone number as the rest", () => {
  expect(withoutPhone(soughtOf("012345678"))).toEqual({
    document: { number: "012345678" },
    customerCode: "012345678",
  });
});

it("asks who it is where a name or a number is what they were found by", () => {
  expect([["NAME"], ["NAME_ALIKE", "DATE_OF_BIRTH"], ["PHONE_NUMBER"]].map(isCertain)).toEqual([false, false, false]);
  expect([["DOCUMENT"], ["CUSTOMER_CODE", "NAME"]].map(isCertain)).toEqual([true, true]);
});
