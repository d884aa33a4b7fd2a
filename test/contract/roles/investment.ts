import { all, type AccessRow } from "./access-row.js";

export const investmentAccess = {
  listInvestmentProducts: {
    roles: all,
    scopes: ["investments:read", "investments:make"],
    otherCustomer: { status: 200 },
  },
  readInvestmentProduct: {
    roles: all,
    scopes: ["investments:read", "investments:make"],
    otherCustomer: { status: 200 },
  },
  putInvestmentProduct: { roles: ["MANAGER"], scopes: ["settings:write"] },
  declareInvestmentDividend: { roles: ["MANAGER"] },
  readInvestmentDividend: { roles: ["MANAGER"], scopes: ["investments:read"] },
  applyForInvestment: {
    roles: ["CUSTOMER"],
    scopes: ["investments:make"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listInvestmentApplications: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read", "investments:make"],
    otherCustomer: { status: 200 },
  },
  readInvestmentApplication: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read", "investments:make"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  withdrawInvestmentApplication: {
    roles: ["CUSTOMER"],
    scopes: ["investments:make"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  setInvestmentWallet: {
    roles: ["MANAGER", "CUSTOMER"],
    scopes: ["investments:make"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  getTotalInvestments: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  listInvestments: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read"],
    otherCustomer: { status: 200 },
  },
  readInvestment: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  redeemInvestment: {
    roles: ["CUSTOMER"],
    scopes: ["investments:make"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
  readInvestmentStatement: {
    roles: ["MANAGER", "AGENT", "CUSTOMER"],
    scopes: ["investments:read"],
    otherCustomer: { status: 403, code: "FORBIDDEN" },
  },
} satisfies Record<string, AccessRow>;
