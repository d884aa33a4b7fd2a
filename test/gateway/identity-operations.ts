import type { Role } from "../../services/kernel/grpc/context.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";

const v6 = "/api/v6/services";
const everyone: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
const staff: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];
const key = { "x-idempotency-key": "key-1" };
const password = "Correct-horse-1";
const details = {
  dateOfBirth: "1994-02-11",
  placeOfBirth: "Lagos",
  nationality: "NGA",
  address: { lines: ["4 Awolowo Road"], city: "Lagos", region: "Lagos", postalCode: "101233", country: "NGA" },
  identityDocuments: [
    { type: "PASSPORT", number: "B01234567", country: "NGA", expiresAt: "2031-03-04", gender: "FEMALE" },
  ],
};
const registration = {
  email: "zola@demo.test",
  password,
  firstName: "Zola",
  lastName: "Bello",
  country: "NGA",
  ...details,
};

function operation(
  name: string,
  path: string,
  roles: readonly Role[],
  method: string,
  rest: Partial<Operation["request"]> = {},
): Operation {
  const whole = `${v6}/${path}`;
  const filled = whole.replaceAll(/\{\w+\}/g, "id-1");
  return { name, path: whole, roles, request: { path: filled, method, ...rest } };
}

const security = "securitymanagement";
const users = "usermanagement";
const preference = "admin/organisation-preference-management";

/** Right requests for what identity serves beyond the contract's own operations. */
export const identityOperations: readonly Operation[] = [
  operation("change password", `${security}/change-password`, everyone, "PUT", {
    body: { currentPassword: password, newPassword: "Other-horse-1" },
  }),
  operation("request password reset", `${security}/request-password-reset`, [], "POST", {
    body: { email: "ada@demo.test" },
  }),
  operation("reset password", `${security}/reset-password`, [], "POST", {
    body: { token: "t1", newPassword: password },
  }),
  operation("list sessions", `${security}/sessions`, everyone, "GET"),
  operation("end session", `${security}/sessions/{sessionId}/end`, everyone, "POST", { body: {} }),
  operation("read second factors", `${security}/second-factors`, everyone, "GET"),
  operation("choose second factors", `${security}/choose-second-factors`, everyone, "PUT", {
    body: { password, otp: true, pin: false },
  }),
  operation("enrol totp", `${security}/enrol-totp`, everyone, "POST", { body: { password } }),
  operation("enrol totp before login", `${security}/enrol-totp-before-login`, [], "POST", {
    body: { email: "ada@demo.test", currentPassword: password },
  }),
  operation("confirm totp", `${security}/confirm-totp`, everyone, "POST", { body: { otp: "123456" } }),
  operation("remove totp", `${security}/remove-totp`, everyone, "POST", { body: { password, otp: "123456" } }),
  operation("set pin", `${security}/set-pin`, everyone, "PUT", { body: { password, pin: "2580" } }),
  operation("request payment code", `${security}/request-payment-code`, everyone, "POST", {
    body: {
      channel: "EMAIL",
      payableType: "TRANSACTION",
      payAbleId: "tx-1",
      totalCheckOutAmount: "25.00",
      currency: "USD",
    },
  }),
  operation("request change code", `${security}/request-change-code`, everyone, "POST", {
    body: { change: "PIN", channel: "SMS" },
  }),
  operation("stop second factor reset", `${security}/stop-second-factor-reset`, everyone, "POST", { body: {} }),
  {
    ...operation("reset second factors", `${users}/users/{userId}/reset-second-factors`, ["MANAGER"], "POST", {
      body: { reason: "lost" },
    }),
    answers: 202,
  },
  operation("register customer", `${users}/register-customer`, staff, "POST", { headers: key, body: registration }),
  {
    ...operation("register oneself", `${users}/register`, [], "POST", { headers: key, body: registration }),
    answers: 202,
  },
  operation("confirm registration", `${users}/confirm-registration`, [], "POST", {
    body: { registrationId: "r1", code: "123456" },
  }),
  operation("confirm contact change", `${users}/confirm-contact-change`, everyone, "POST", {
    body: { type: "EMAIL", code: "123456" },
  }),
  operation("read profile", `${users}/profile`, everyone, "GET"),
  operation("update profile", `${users}/update-profile`, everyone, "PUT", {
    body: { phoneNumber: "+2348012345678", password },
  }),
  operation("update user", `${users}/users/{userId}`, staff, "PUT", { body: { firstName: "Zola", ...details } }),
  operation("list customers", `${users}/customers`, ["MANAGER", "AGENT"], "GET"),
  operation("find customer", `${users}/find-customer`, staff, "POST", { body: { customerCode: "C-ZOLA" } }),
  operation("read customer", `${users}/customers/{customerId}`, everyone, "GET"),
  operation("assign customer", `${users}/customers/{customerId}/assign`, ["MANAGER"], "POST", {
    body: { agentId: "a1" },
  }),
  operation("create staff user", `${users}/create-staff-user`, ["MANAGER"], "POST", {
    headers: key,
    body: { email: "c@demo.test", password, name: "Cashier", role: "CASHIER" },
  }),
  operation("list staff users", `${users}/staff-users`, ["MANAGER"], "GET"),
  operation("disable user", `${users}/users/{userId}/disable`, staff, "POST", { body: { reason: "left" } }),
  operation("enable user", `${users}/users/{userId}/enable`, staff, "POST", { body: { reason: "back" } }),
  operation("create api token", "admin/api-tokens/create", everyone, "POST", {
    headers: key,
    body: { name: "Reports", expiry: "1_MONTH", scopes: ["profile:read"], password },
  }),
  operation("list api tokens", "admin/api-tokens", everyone, "GET"),
  operation("rotate api token", "admin/api-tokens/{apiTokenId}/rotate", everyone, "POST", {
    headers: key,
    body: { overlapSeconds: 60, password },
  }),
  operation("invalidate api token", "admin/api-tokens/{apiTokenId}/invalidate", everyone, "POST", { body: {} }),
  operation("delete api token", "admin/api-tokens/{apiTokenId}/delete", everyone, "POST", { body: {} }),
  operation("change preference", `${preference}/change-organisation-preference`, ["MANAGER"], "PUT", {
    headers: key,
    body: {
      reason: "new year",
      agentScope: "TENANT",
      requiredDetails: [{ detail: "ADDRESS", at: "ABOVE_AMOUNT", amount: "1000.00", currency: "USD" }],
    },
  }),
  operation("preference changes", `${preference}/organisation-preference-changes`, ["MANAGER"], "GET"),
  operation("list approvals", "admin/approvals", ["MANAGER"], "GET"),
  operation("read approval", "admin/approvals/{approvalId}", ["MANAGER"], "GET"),
  operation("work queues", "admin/work-queues", ["MANAGER"], "GET"),
  operation("approve", "admin/approvals/{approvalId}/approve", ["MANAGER"], "POST", {
    body: { reason: "seen", digest: "d-1" },
  }),
  operation("refuse", "admin/approvals/{approvalId}/refuse", ["MANAGER"], "POST", { body: { reason: "seen" } }),
];

export const sampleTenant = (at: Date) => ({
  tenantId: "demo",
  name: "Demo",
  preference: { baseCurrency: "USD", currencies: ["USD"], countries: ["NGA"], timeZone: "UTC", locale: "en" },
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
