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
} satisfies Record<string, AccessRow>;
