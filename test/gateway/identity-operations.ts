import type { Edge } from "./edge.js";
const details = {
  dateOfBirth: "1994-02-11",
  placeOfBirth: "Lagos",
  nationality: "NGA",
  address: { lines: ["4 Awolowo Road"], city: "Lagos", region: "Lagos", postalCode: "101233", country: "NGA" },
  identityDocuments: [
    { type: "PASSPORT", number: "B01234567", country: "NGA", expiresAt: "2031-03-04", gender: "FEMALE" },
  ],
};

export const sampleTenant = (at: Date) => ({
  tenantId: "demo",
  name: "Demo",
  preference: {
    baseCurrency: "USD",
    currencies: ["USD"],
    countries: ["NGA"],
    timeZone: "UTC",
    locale: "en",
    secondFactors: { otp: false, pin: false },
  },
  updatedAt: at,
});

/** What the played identity answers to them. */
export function identitySamples(at: Date) {
  const customer = {
    customerId: "c1",
    customerCode: "C-1",
    userId: "u2",
    firstName: "Zola",
    lastName: "Bello",
    email: "zola@demo.test",
    country: "NGA",
    createdAt: at,
    status: "CONFIRMED",
  };
  const approval = {
    approvalId: "a1",
    kind: "REFUND",
    subject: "transaction:1",
    summary: "Refund",
    amount: { amountMinor: 2_500n, currency: "USD" },
    status: "PENDING",
    askedBy: "u1",
    askedBecause: "sent twice",
    askedAt: at,
    expiresAt: at,
  };
  return {
    getCustomer: async () => ({ customer: { ...customer, details } }),
    assignCustomer: async () => ({ customer }),
    listApprovals: async () => ({ approvals: [approval] }),
    getApproval: async () => ({ approval }),
  } satisfies Edge["fakes"]["identity"];
}
