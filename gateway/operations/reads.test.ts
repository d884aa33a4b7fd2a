import type { ListEntriesByInteractionRequest } from "../../proto/gen/ledger/v1/ledger.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

async function read(name: string, role: "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER") {
  const { request } = operationNamed(name);
  return edge.send({ ...request, headers: { ...request.headers, "X-Auth-Token": await edge.token({ role }) } });
}

describe("ledgerHistoryByInteractionId", () => {
  test.each([
    ["MANAGER", {}],
    ["AGENT", {}],
    ["CASHIER", { createdBy: "user-1" }],
    ["CUSTOMER", { ownerId: "customer-1" }],
  ] as const)("a %s sees the entries that %j selects", async (role, filter) => {
    const requested: ListEntriesByInteractionRequest[] = [];
    const answerEntries = edge.fakes.ledger.listEntriesByInteraction!;
    edge.fakes.ledger.listEntriesByInteraction = async (request, call) => {
      requested.push(request);
      return answerEntries(request, call);
    };
    expect((await read("ledgerHistoryByInteractionId", role)).status).toBe(200);
    const interactionId = operationNamed("ledgerHistoryByInteractionId").request.headers!["x-fapi-interaction-id"];
    expect(requested).toMatchObject([{ interactionId, ownerId: "", createdBy: "", ...filter }]);
    edge.fakes.ledger.listEntriesByInteraction = answerEntries;
  });

  test("entries have the contract's fields first and exact numbers", async () => {
    expect((await read("ledgerHistoryByInteractionId", "CUSTOMER")).text).toBe(
      '{"status":"SUCCESS","data":[{"executionDate":"2026-11-21T10:15:00.000Z","ledgerType":"DEBIT",' +
        '"transactionAmount":100.00,"newBalance":92233720368547758.07,"entryId":"e-1","transferId":"t-1",' +
        '"accountId":"acc-1","accountName":"USD wallet 1002003004","currency":"USD","kind":"wallet_payment",' +
        '"effectiveDate":"2026-11-21T10:15:00.000Z","interactionId":"i-1","createdBy":"user-1",' +
        '"sequence":9007199254740993}],"message":"Ledger entries"}',
    );
  });
});

describe("compliance policy", () => {
  const kyc = { id: "k1", name: "E-mail", description: "", requirement: "EMAIL", mandatory: true };
  const large = { id: "r1", name: "Large", description: "", requiredDocuments: [], action: "REQUIRE_DOCUMENTS" };

  test("a customer sees no rule meant for staff, and no condition", async () => {
    expect((await read("listOrganisationCompliancePolicy", "CUSTOMER")).json.data).toEqual({
      knowYourCustomerRules: [{ ...kyc, riskProfiles: [], countries: [], validityDays: 365 }],
      transactionRules: [{ ...large, visibility: "PUBLIC" }],
    });
  });

  test("staff see all of it", async () => {
    const { transactionRules } = (await read("listOrganisationCompliancePolicy", "AGENT")).json.data;
    expect(transactionRules[1]).toEqual({
      id: "r2",
      name: "Watch",
      description: "",
      requiredDocuments: [],
      action: "REVIEW",
      visibility: "STAFF",
      condition: {
        amountAtLeast: { amount: "1000.00", currency: "USD" },
        originCountries: [],
        receivingCountries: ["NGA"],
      },
    });
  });
});

test("the preference has the names of the shapes", async () => {
  expect((await read("fetchOrganisationPreference", "CUSTOMER")).json.data).toEqual({
    organisationId: "demo",
    name: "Demo",
    baseCurrency: "USD",
    currencies: ["USD"],
    countries: ["NGA"],
    timeZone: "UTC",
    locale: "en",
    selfRegistration: false,
    doNotForwardEmailVerification: false,
    doNotForwardPhoneVerification: false,
    secondFactors: { otp: false, pin: false },
    transactionPasswordRequired: false,
    cashierWalletPayments: false,
    agentCounterSales: false,
    blindTillCounts: true,
    corsOrigins: [],
    amountCeilings: [],
    requiredDetails: [],
    staffTotpRequired: false,
    updatedAt: "2026-11-21T10:15:00.000Z",
  });
});

test("beneficiaries have the names of the shapes, and what is empty is left out", async () => {
  expect((await read("findAllBeneficiaries", "CUSTOMER")).json.data).toEqual([
    {
      customerId: "customer-1",
      name: "Bola Ade",
      country: "NGA",
      accountNumber: "0123456789",
      id: "b-1",
      code: "B1",
      firstName: "Bola",
      lastName: "Ade",
      bankName: "First",
      bankCode: "011",
      currency: "NGN",
      deliveryMethods: ["ACCOUNTPAYMENT"],
      creditParty: [{ key: "bankaccountno", value: "0123456789" }],
      kind: "PERSON",
      dateOfBirth: "1988-03-14",
      nationality: "NGA",
      address: { lines: ["7 Broad Street"], city: "Lagos", postalCode: "101231", country: "NGA" },
      createdAt: "2026-11-21T10:15:00.000Z",
    },
  ]);
});
