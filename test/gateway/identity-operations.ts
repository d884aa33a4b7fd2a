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
  const user = { userId: "u1", email: "ada@demo.test", role: "ROLE_CASHIER", name: "Ada", createdAt: at } as const;
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
  const factors = { totpEnrolled: true };
  const apiToken = {
    apiTokenId: "t1",
    name: "Reports",
    prefix: "mnl_1234",
    scopes: ["profile:read"],
    expiresAt: at,
    status: "ACTIVE",
    createdAt: at,
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
  const session = { sessionId: "s1", createdAt: at, lastUsedAt: at, expiresAt: at, ipAddress: "203.0.113.7" };
  const secret = { secret: "JBSWY3DPEHPK3PXP", otpauthUri: "otpauth://totp/x" };
  return {
    changePassword: async () => ({}),
    requestPasswordReset: async () => ({}),
    resetPassword: async () => ({}),
    listSessions: async () => ({ sessions: [session] }),
    endSession: async () => ({}),
    getUserFactors: async () => ({ factors }),
    chooseFactors: async () => ({ factors }),
    enrolTotp: async () => secret,
    confirmTotp: async () => ({ factors }),
    removeTotp: async () => ({ factors }),
    setPin: async () => ({ factors }),
    requestPaymentCode: async () => ({ expiresAt: at, sentTo: "a***@demo.test" }),
    requestChangeCode: async () => ({ expiresAt: at, sentTo: "+234***678" }),
    resetFactors: async () => ({ resetId: "r1", state: "ASKED", approvalId: "a1" }),
    stopFactorReset: async () => ({ factors: { ...factors, resetState: "WAITING", resetAt: at } }),
    beginRegistration: async () => ({ registrationId: "r1", expiresAt: at }),
    confirmRegistration: async () => ({ customer }),
    confirmContactChange: async () => ({ profile: { user } }),
    registerCustomer: async () => ({ customer }),
    getProfile: async () => ({ profile: { user: { ...user, role: "ROLE_CUSTOMER" as const }, customer } }),
    updateProfile: async () => ({
      profile: { user, pending: [{ type: "EMAIL", sentTo: "a***@demo.test", expiresAt: at }] },
    }),
    listManagedCustomers: async () => ({ customers: [{ ...customer, phoneNumber: "+2348012345678", agentId: "a1" }] }),
    getCustomer: async () => ({ customer: { ...customer, details } }),
    assignCustomer: async () => ({ customer }),
    createStaffUser: async () => ({ user }),
    listStaffUsers: async () => ({ users: [user], nextPageToken: "u1" }),
    disableUser: async () => ({ user: { ...user, disabled: true } }),
    enableUser: async () => ({ user }),
    createApiToken: async () => ({ apiToken, token: "mnl_x" }),
    listApiTokens: async () => ({ apiTokens: [{ ...apiToken, lastUsedAt: at }] }),
    rotateApiToken: async () => ({ apiToken: { ...apiToken, status: "ROTATING" }, token: "mnl_x" }),
    invalidateApiToken: async () => ({ apiToken: { ...apiToken, status: "INVALIDATED" } }),
    deleteApiToken: async () => ({}),
    changeOrganisationPreference: async () => ({ tenant: sampleTenant(at), approvalId: "", approvalStatus: "" }),
    listPreferenceChanges: async () => ({
      changes: [
        {
          changeId: "ch1",
          at,
          actor: "u1",
          reason: "new year",
          fields: [{ field: "agentScope", before: '"MANAGED"', after: '"TENANT"' }],
          interactionId: "i-1",
        },
      ],
    }),
    listApprovals: async () => ({ approvals: [approval] }),
    getApproval: async () => ({ approval }),
    resolveApproval: async () => ({
      approval: { ...approval, status: "APPROVED", decidedBy: "u2", decidedBecause: "seen", decidedAt: at },
    }),
  } satisfies Edge["fakes"]["identity"];
}
