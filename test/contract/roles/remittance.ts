import { all, staff, type AccessRow } from "./access-row.js";

export const remittanceAccess = {
  findAllBeneficiaries: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["beneficiaries:manage", "beneficiaries:read"],
    otherCustomer: { status: 200 },
  },
  listTransactions: {
    roles: all,
    scopes: ["transactions:read", "transactions:read:own"],
    otherCustomer: { status: 200 },
  },
  updateTransactionStatus: { roles: staff, scopes: ["transactions:update", "transactions:write"] },
  askPayoutOutcome: { roles: ["MANAGER"] },
  requestRefund: { roles: staff, scopes: ["transactions:write", "refunds:request"] },
  issuePickupCode: {
    roles: ["CASHIER", "CUSTOMER"],
    otherCustomer: { status: 404, code: "TRANSACTION_NOT_FOUND" },
  },
  payOutCash: { roles: ["CASHIER"], scopes: ["cash:handle"] },
  listTransactionEntries: { roles: staff, scopes: ["ledger:read"] },
  readReceipt: {
    roles: all,
    scopes: ["transactions:read", "transactions:read:own", "receipts:print"],
    otherCustomer: { status: 404, code: "TRANSACTION_NOT_FOUND" },
  },
  listPaymentMethods: {
    roles: ["MANAGER", "CASHIER", "CUSTOMER"],
    scopes: ["transactions:read", "transactions:read:own"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  callOverReport: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read"] },
  analyticsReport: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read"] },
  createBeneficiary: {
    roles: ["MANAGER", "CUSTOMER"],
    scopes: ["beneficiaries:manage", "settings:write"],
    otherCustomer: { status: 200 },
  },
  changeBeneficiary: {
    roles: ["MANAGER", "CUSTOMER"],
    scopes: ["beneficiaries:manage", "settings:write"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  removeBeneficiary: {
    roles: ["MANAGER", "CUSTOMER"],
    scopes: ["beneficiaries:manage", "settings:write"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  createTransaction: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["transactions:create"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  readTransaction: {
    roles: all,
    scopes: ["transactions:read", "transactions:read:own"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  cancelTransaction: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["transactions:cancel"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  createQuote: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["quotes:request", "transactions:create"],
    otherCustomer: { status: 404, code: "CORRIDOR_NOT_FOUND" },
  },
  readQuote: {
    roles: ["CASHIER", "CUSTOMER"],
    scopes: ["quotes:request", "transactions:create"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listAllocatedPayoutPoints: {
    roles: all,
    scopes: ["quotes:request", "transactions:create", "transactions:read"],
    otherCustomer: { status: 200 },
  },
  listBranches: {
    roles: all,
    scopes: ["quotes:request", "transactions:create", "transactions:read"],
    otherCustomer: { status: 200 },
  },
  listCorridors: {
    roles: all,
    scopes: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
    otherCustomer: { status: 200 },
  },
  listExchangeRates: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read", "settings:write"] },
  readExchangeRate: {
    roles: all,
    scopes: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
    otherCustomer: { status: 200 },
  },
  listMarkups: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read", "settings:write"] },
  putMarkup: { roles: ["MANAGER", "AGENT"], scopes: ["settings:write", "markups:write"] },
  listPromotions: { roles: ["MANAGER"], scopes: ["reports:read", "settings:write"] },
  listSettingChanges: { roles: ["MANAGER", "AGENT"], scopes: ["reports:read", "settings:write"] },
  loadPayoutPoints: { roles: ["MANAGER"], scopes: ["settings:write"] },
  putBranch: { roles: ["MANAGER"], scopes: ["settings:write"] },
  loadCorridors: { roles: ["MANAGER", "AGENT"], scopes: ["settings:write", "corridors:write"] },
  loadExchangeRates: { roles: ["MANAGER"], scopes: ["settings:write"] },
  putCorridor: { roles: ["MANAGER", "AGENT"], scopes: ["settings:write", "corridors:write"] },
  putExchangeRate: { roles: ["MANAGER"], scopes: ["settings:write"] },
  putPayoutPoint: { roles: ["MANAGER"], scopes: ["settings:write"] },
  putPromotion: { roles: ["MANAGER"], scopes: ["settings:write"] },
} satisfies Record<string, AccessRow>;
