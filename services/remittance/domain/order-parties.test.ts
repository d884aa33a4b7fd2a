import { partiesShape } from "../../platform/plugins/party-contract.js";
import { orderPartiesOf, unsaidMembers, type OriginatorOnFile } from "./order-parties.js";
import type { Transaction } from "./transaction.js";

const today = "2026-11-30";
const usd = (minor: bigint) => ({ minor, currency: "USD" });
const transaction = {
  transactionId: "0199d0c2-0000-7000-8000-003241badec5",
  transactionCode: "MN0123456789",
  payer: { accountNumber: "1000000008" },
  sender: { customerId: "c1", customerCode: "C-10001", name: "Ada Obi", country: "USA" },
  recipient: { customerId: "c1", customerCode: "B-1", name: "Okafor & Sons Ltd", country: "NGA" },
  recipientDetails: {
    kind: "COMPANY",
    lei: "5493001KJTIIGC8Y1R12",
    phoneNumber: "+2348031234567",
    address: { lines: ["7 Broad Street"], city: "Lagos", region: "", country: "NGA" },
  },
  relationship: "SUPPLIER",
  price: { principal: usd(100_00n), total: usd(102_69n), receive: { minor: 1n, currency: "NGN" } },
  creditParty: [
    { key: "bankaccountno", value: "3012345671" },
    { key: "bankcode", value: "011" },
  ],
  transferInformation: {
    originCountry: "USA",
    receivingCountry: "NGA",
    remittancePurpose: "GOODS",
    sourceOfFunds: "SALARY",
  },
  descriptionText: "Invoice 7\r\nthank you",
  compliance: { transparencyMembers: ["ADDRESS", "RECIPIENT_ADDRESS", "RECIPIENT_NAME"] },
} as unknown as Transaction;

const onFile: OriginatorOnFile = {
  dateOfBirth: "1990-04-12",
  placeOfBirth: { city: "Enugu", country: "NGA" },
  nationality: "NGA",
  address: { lines: ["12 Marina Road", "Flat 4"], city: "Houston", postalCode: "77002", country: "USA" },
  identityDocuments: [
    { type: "NATIONAL_ID", number: "OLD-1", country: "NGA", expiresAt: "2026-11-29" },
    { type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt: today },
  ],
};
const nothing: OriginatorOnFile = { dateOfBirth: "", nationality: "", identityDocuments: [] };

test("says all that is known, within the bounds of the contract, and a document that holds today", () => {
  const parties = orderPartiesOf(transaction, onFile, today);
  expect(partiesShape.parse(parties)).toEqual(parties);
  expect(parties).toEqual({
    originator: {
      kind: "PERSON",
      name: "Ada Obi",
      address: { lines: ["12 Marina Road", "Flat 4"], city: "Houston", postalCode: "77002", country: "USA" },
      dateOfBirth: "1990-04-12",
      placeOfBirth: { city: "Enugu", country: "NGA" },
      nationality: "NGA",
      document: { type: "PASSPORT", number: "A01234567", country: "NGA" },
      account: "1000000008",
      uniqueId: "0199d0c2000070008000003241badec5",
      customerCode: "C-10001",
    },
    beneficiary: {
      kind: "COMPANY",
      name: "Okafor & Sons Ltd",
      lei: "5493001KJTIIGC8Y1R12",
      account: "3012345671",
      country: "NGA",
      address: { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" },
      phone: "+2348031234567",
    },
    purpose: "GOODS",
    relationship: "SUPPLIER",
    sourceOfFunds: "SALARY",
    sendAmount: "100.00",
    sendCurrency: "USD",
    transactionCode: "MN0123456789",
    remittanceText: "Invoice 7 thank you",
  });
  expect(unsaidMembers(transaction, parties)).toEqual([]);
});

test("says nothing of what is not known, and names what the policy asks of it", () => {
  const { recipientDetails: _details, relationship: _relationship, ...bare } = transaction;
  const transferInformation = { ...transaction.transferInformation, remittancePurpose: "" };
  const unknown = { ...bare, payer: { accountNumber: "" }, transferInformation, creditParty: [], descriptionText: "" };
  for (const known of [undefined, nothing]) {
    const parties = orderPartiesOf(unknown, known, today);
    expect(partiesShape.parse(parties)).toEqual(parties);
    expect(parties.originator).toEqual({
      kind: "PERSON",
      name: "Ada Obi",
      uniqueId: parties.originator.uniqueId,
      customerCode: "C-10001",
    });
    expect(parties.beneficiary).toEqual({ name: "Okafor & Sons Ltd", country: "NGA" });
    expect(unsaidMembers(transaction, parties)).toEqual(["ADDRESS", "RECIPIENT_ADDRESS"]);
    const asks = (...transparencyMembers: string[]) => ({ compliance: { transparencyMembers } }) as Transaction;
    expect(unsaidMembers(asks("ADDRESS_OR_BIRTH", "PURPOSE", "IDENTITY_DOCUMENT"), parties)).toEqual([
      "ADDRESS_OR_BIRTH",
      "PURPOSE",
    ]);
  }
});

test("a date and place of birth stand in for an address where the policy takes them", () => {
  const { address: _address, ...born } = onFile;
  const asks = (member: string) => ({ compliance: { transparencyMembers: [member] } }) as Transaction;
  const unsaid = (member: string, known: OriginatorOnFile) =>
    unsaidMembers(asks(member), orderPartiesOf(transaction, known, today));
  expect(unsaid("ADDRESS_OR_BIRTH", born)).toEqual([]);
  expect(unsaid("ADDRESS", born)).toEqual(["ADDRESS"]);
  const unborn = { ...onFile, dateOfBirth: "" };
  expect(unsaid("ADDRESS_OR_BIRTH", unborn)).toEqual([]);
  expect(unsaid("ADDRESS_OR_BIRTH", { ...unborn, identityDocuments: [] })).toEqual(["ADDRESS_OR_BIRTH"]);
});
