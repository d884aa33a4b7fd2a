import { all, type AccessRow } from "./access-row.js";

export const platformAccess = {
  forceOutcome: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  listForcedOutcomes: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  clearForcedOutcomes: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  clearForcedOutcome: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  settlePayout: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  returnPayout: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  putBvn: { roles: ["MANAGER"], scopes: ["sandbox:force"] },
  listSandboxMessages: { roles: all, scopes: ["sandbox:force"], otherCustomer: { status: 200 } },
  // The other customer's own name does not fit the number.
  createDomiciliaryAccounts: {
    roles: ["CUSTOMER", "AGENT"],
    scopes: ["accounts:open"],
    otherCustomer: { status: 200 },
  },
  listWorkQueues: { roles: ["MANAGER"], scopes: ["reports:read"] },
  ledgerHistoryByInteractionId: { roles: all, scopes: ["ledger:read"], otherCustomer: { status: 200 } },
  listLedgerAccounts: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readLedgerAccount: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readLedgerBalance: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  listLedgerEntries: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readLedgerTransfer: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readTrialBalance: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  beginLedgerVerification: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  listLedgerVerifications: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readLedgerVerification: { roles: ["MANAGER"], scopes: ["ledger:read"] },
  readChart: { roles: ["MANAGER"], scopes: ["books:read"] },
  openBookAccount: { roles: ["MANAGER"], scopes: ["books:write"] },
  exportLedger: { roles: ["MANAGER"], scopes: ["ledger:read"] },
} satisfies Record<string, AccessRow>;
