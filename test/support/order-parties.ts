import type { OrderParties } from "../../services/platform/plugins/party-contract.js";

/** Who pays, who is paid and why, with everything that an order may say of a person. */
export const samplePartiesOf = (uniqueId: string): OrderParties => ({
  originator: {
    kind: "PERSON",
    name: "Ada Obi",
    address: { lines: ["12 Marina Road", "Flat 4"], postalCode: "E14 9GE", city: "London", country: "GBR" },
    dateOfBirth: "1990-04-12",
    placeOfBirth: { city: "Enugu", country: "NGA" },
    nationality: "NGA",
    document: { type: "PASSPORT", number: "A01234567", country: "NGA" },
    account: "2003004005",
    uniqueId,
    customerCode: "C-10001",
  },
  beneficiary: {
    kind: "PERSON",
    name: "Ngozi Okafor",
    account: "3001234567",
    country: "NGA",
    address: { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" },
    phone: "+2348012345678",
  },
  purpose: "FAMILY_SUPPORT",
  relationship: "SISTER",
  sourceOfFunds: "SALARY",
  sendAmount: "100.00",
  sendCurrency: "GBP",
  transactionCode: "MN0123456789",
  remittanceText: "For the roof",
});
