import type { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import type { PayoutsServiceDefinition } from "../../proto/gen/sandbox/v1/sandbox.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";

// Agents where the tenant's setting has them sell; clients/people.ts asks for it.
const atDesks = ["CASHIER", "AGENT"] as const;
const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };

/** Who may call what. What a role may see beyond this is decided in clients/people.ts. */
export const access: Access<RemittanceServiceDefinition> = {
  putCorridor: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  loadCorridors: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listCorridors: { callers: ["gateway", "operator"], user: "optional" },
  putRate: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  loadRates: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getExchangeRate: { callers: ["gateway", "wallet", "investment", "lending"], user: "optional" },

  listChanges: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listRates: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  putMarkup: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  listMarkups: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT"] },
  putPromotion: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listPromotions: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  putPayoutPoint: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  loadPayoutPoints: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listPayoutPoints: { callers: ["gateway"], user: "required" },
  putBranch: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listBranches: { callers: ["gateway"], user: "required" },
  getBranch: { callers: ["wallet"], user: "optional" },

  createQuote: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },
  getQuote: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },

  createBeneficiary: {
    callers: ["gateway", "operator"],
    user: "optional",
    roles: ["MANAGER", "CUSTOMER", "CASHIER", "AGENT"],
  },
  changeBeneficiary: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "CUSTOMER"] },
  removeBeneficiary: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "CUSTOMER"] },
  listBeneficiaries: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER", "CASHIER"] },
  listRecipientLooks: managers,

  createTransaction: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },
  getTransparency: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  getTransaction: { callers: ["gateway", "operator"], user: "optional" },

  listTransactions: { callers: ["gateway"], user: "required" },
  listTransactionEntries: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  updateTransactionStatus: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  askPayoutOutcome: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  requestRefund: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] },
  issuePickupCode: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },
  findPickup: { callers: ["wallet"], user: "required", roles: [...atDesks] },
  findSale: { callers: ["wallet"], user: "required", roles: ["CASHIER", "AGENT"] },
  handOutCash: { callers: ["wallet"], user: "optional" },
  getQuoteDisclosure: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },
  getTransactionDisclosure: { callers: ["gateway"], user: "required" },
  listDisclosureTemplates: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  putDisclosureTemplate: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  previewDisclosureTemplate: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  getReceipt: { callers: ["gateway"], user: "required" },
  requestReportExport: managers,
  getReportExport: managers,
  listReportExports: managers,
  readReportExport: managers,
  getCallOverReport: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },
  getAnalytics: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },

  decideTransaction: { callers: ["compliance"] },
  blockTransactions: { callers: ["compliance"] },
  foreseeBlock: { callers: ["compliance"] },
  foreseeBlockRelease: { callers: ["compliance"] },
  releaseBlockedTransactions: { callers: ["compliance"] },
  tellTransparency: { callers: ["compliance"] },
  resumeHeldPayouts: { callers: ["compliance"] },
  describeTransactions: { callers: ["compliance"] },

  claimTransaction: { callers: ["wallet"], user: "optional" },
  releaseTransaction: { callers: ["wallet"], user: "optional" },
  markTransactionPaid: { callers: ["wallet"], user: "optional" },

  cancelTransaction: { callers: ["gateway"], user: "required", roles: [...atDesks, "CUSTOMER"] },
  amendTransaction: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  traceTransaction: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listAmendments: { callers: ["gateway"], user: "required" },
  receivePayoutCallback: { callers: ["gateway"] },
  reconcilePayouts: { callers: ["operator"] },
};

export const pluginOwnerAccess: Access<PluginOwnerServiceDefinition> = {
  testPlugin: managers,
  receiveCallback: { callers: ["gateway"] },
  listUnservedCorridors: managers,
};

export const sandboxPayoutAccess: Access<PayoutsServiceDefinition> = { settlePayout: managers, returnPayout: managers };

// Of the rpcs whose user is optional, those that only an operator calls without a person.
const operatorsToo: ReadonlySet<string> = new Set([
  "putCorridor",
  "loadCorridors",
  "listCorridors",
  "putRate",
  "loadRates",
  "listChanges",
  "listRates",
  "putMarkup",
  "listMarkups",
  "putPromotion",
  "listPromotions",
  "putPayoutPoint",
  "loadPayoutPoints",
  "putBranch",
  "createBeneficiary",
  "changeBeneficiary",
  "removeBeneficiary",
]);

/** Whether an operator calls this rpc without a person; everybody else needs one. */
export function isOpenToOperators(rpc: string): boolean {
  return operatorsToo.has(rpc);
}

/** Agents see what their customers sent. */
export const reportAccess: Access<ReportServiceDefinition> = {
  getReport: { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] },
};
