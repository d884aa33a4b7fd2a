import type { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import type { MessagesServiceDefinition } from "../../proto/gen/sandbox/v1/sandbox.js";
import type { ServiceName } from "../kernel/grpc/context.js";
import type { Batched } from "../kernel/grpc/batch-service.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";

const services: ServiceName[] = [
  "gateway",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "events",
];
const servicesWithPeople = services.filter((name) => name !== "ledger");
// Events carries what others say of customers, and asks how they are reached alone.
const aboutCustomers = servicesWithPeople.filter((name) => name !== "events");

/** An AGENT where the tenant lets agents sell at the counter. */
const atCounter: RpcAccess = { callers: ["gateway"], user: "required", roles: ["CASHIER", "AGENT"] };

/**
 * Who may call what. What a role may do beyond this is decided in the handlers, by domain/roles.ts.
 */
export const access: Access<IdentityServiceDefinition> = {
  putTenant: { callers: ["operator"], tenant: "none" },
  listTenants: { callers: ["operator"], tenant: "none" },
  resolveHost: { callers: ["gateway", "operator"], tenant: "none" },
  getOrganisationPreference: { callers: [...services, "operator"], user: "optional" },

  changeOrganisationPreference: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listPreferenceChanges: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },

  getTenantClock: { callers: [...services, "operator"], user: "optional" },
  advanceBusinessDate: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },

  createStaffUser: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  // Compliance and wallet ask for a manager whether whom they assign is one of the staff.
  // Events tells managers of a webhook endpoint that it disabled.
  listStaffUsers: {
    callers: ["gateway", "compliance", "wallet", "events", "operator"],
    user: "optional",
    roles: ["MANAGER"],
  },
  // Whoever rides along chooses a colleague; which of them is wallet's to say.
  getStaffNames: { callers: ["wallet"], user: "optional" },
  beginRegistration: { callers: ["gateway"] },
  confirmRegistration: { callers: ["gateway"] },
  registerCustomer: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT", "CASHIER"] },
  getCustomer: { callers: [...aboutCustomers, "operator"], user: "optional" },
  keepTransferParty: { callers: ["wallet", "lending"] },
  getOriginator: { callers: ["remittance"], user: "optional" },
  compareDocument: { callers: ["wallet"], user: "optional" },
  getCustomers: { callers: ["remittance"], user: "optional" },
  getMessageContacts: { callers: ["events"] },
  listManagedCustomers: {
    callers: [...aboutCustomers, "operator"],
    user: "optional",
    roles: ["MANAGER", "AGENT"],
  },

  registerAtCounter: atCounter,
  noteSeenDocument: atCounter,
  confirmCounterContact: atCounter,
  findCustomers: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  noteCustomerStatus: { callers: ["compliance"] },
  assignCustomer: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getProfile: { callers: ["gateway"], user: "required" },
  updateProfile: { callers: ["gateway", "operator"], user: "optional" },
  confirmContactChange: { callers: ["gateway"], user: "required" },
  disableUser: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT", "CASHIER"] },
  enableUser: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT", "CASHIER"] },

  login: { callers: ["gateway"] },
  // The access token comes in the request, since it may have expired.
  refresh: { callers: ["gateway"] },
  logout: { callers: ["gateway"], user: "required" },

  listSessions: { callers: ["gateway"], user: "required" },
  endSession: { callers: ["gateway"], user: "required" },
  changePassword: { callers: ["gateway"], user: "required" },
  requestPasswordReset: { callers: ["gateway"] },
  resetPassword: { callers: ["gateway"] },

  createApiToken: { callers: ["gateway"], user: "required" },
  listApiTokens: { callers: ["gateway"], user: "required" },
  rotateApiToken: { callers: ["gateway"], user: "required" },
  invalidateApiToken: { callers: ["gateway"], user: "required" },
  deleteApiToken: { callers: ["gateway"], user: "required" },
  exchangeApiToken: { callers: ["gateway"] },

  getUserFactors: { callers: ["gateway"], user: "required" },
  chooseFactors: { callers: ["gateway"], user: "required" },
  // Staff who cannot log in before they have an authenticator have no user here.
  enrolTotp: { callers: ["gateway"], user: "optional" },
  confirmTotp: { callers: ["gateway"], user: "required" },
  removeTotp: { callers: ["gateway"], user: "required" },
  setPin: { callers: ["gateway"], user: "required" },
  resetFactors: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  stopFactorReset: { callers: ["gateway"], user: "required" },
  requestChangeCode: { callers: ["gateway"], user: "required" },
  requestPaymentCode: { callers: ["gateway"], user: "required" },

  // Services that ask also hear the outcome.
  askApproval: {
    callers: ["compliance", "remittance", "wallet", "lending", "investment", "ledger"],
    // A service asks by itself for what domain/approvals.ts names.
    user: "optional",
    roles: ["MANAGER", "AGENT", "CASHIER"],
  },
  noteApprovalEffects: { callers: ["compliance"] },
  withdrawApproval: { callers: ["compliance", "ledger", "remittance"] },
  getApproval: { callers: aboutCustomers, user: "optional", roles: ["MANAGER"] },
  listApprovals: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  resolveApproval: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },

  eraseCustomer: { callers: ["operator"] },
  getErasure: { callers: ["operator"] },
  applyRetention: { callers: ["operator"], tenant: "none" },

  rotateKeys: { callers: ["operator"], tenant: "none" },
  listKeys: { callers: ["operator"], tenant: "none" },
  getJwks: { callers: [...services, "operator"], tenant: "none" },
  checkRevocation: { callers: [...services, "operator"], tenant: "none" },

  verifyCredentials: { callers: ["wallet", "remittance", "lending"], user: "optional" },
};

// Each check stands by itself: a code that one has used up is theirs, whatever becomes of others.
export const batched: Batched<IdentityServiceDefinition> = {
  verifyCredentials: { callers: ["wallet"], maxCalls: 64 },
};

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };
// Who calls partners; what kinds are whose is decided in the handlers, by the table of kinds.
const callers: RpcAccess = { callers: ["remittance", "wallet", "lending", "events", "compliance"], user: "optional" };

/** Partners are for managers; their secrets are told to services that call them. */
export const pluginAccess: Access<PluginServiceDefinition> = {
  listPluginTypes: managers,
  createPlugin: managers,
  getPlugin: managers,
  listPlugins: managers,
  changePlugin: managers,
  rotatePluginSecret: managers,
  enablePlugin: managers,
  pausePlugin: managers,
  removePlugin: managers,
  listPluginCalls: managers,
  listPluginChanges: managers,

  resolvePlugins: callers,
  notePluginTest: callers,
  notePluginCalls: callers,
  releasePlugin: callers,
  listRemovingPlugins: { callers: ["remittance", "wallet", "lending"], tenant: "none" },
  findPlugin: { callers: ["gateway"], tenant: "none" },
};

/** Messages that were sent in a sandbox: what a role sees of them is decided by the handler. */
export const messageAccess: Access<MessagesServiceDefinition> = {
  listMessages: { callers: ["gateway"], user: "required" },
};
