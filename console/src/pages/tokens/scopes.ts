/** Who signed in, as far as scopes go; this file is compared with identity's own by a test. */
interface Person {
  role: "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER";
  permissions: readonly string[];
}

// Beside the permissions of login, as services/identity/domain/api-tokens.ts has them.
const finer: Readonly<Record<Person["role"], readonly string[]>> = {
  MANAGER: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "beneficiaries:read",
    "accounts:read",
    "accounts:freeze",
    "customers:register",
    "payments:request",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "approvals:decide",
    "books:read",
    "books:write",
    "plugins:manage",
    "sandbox:force",
  ],
  AGENT: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "beneficiaries:read",
    "accounts:open",
    "customers:register",
    "corridors:write",
    "markups:write",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "sandbox:force",
  ],
  CASHIER: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "accounts:read",
    "customers:read",
    "customers:register",
    "transactions:update",
    "transactions:cancel",
    "payments:request",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "sandbox:force",
  ],
  CUSTOMER: [],
};
/** What a token of this person may be given. */
export function scopesFor({ role, permissions }: Person): readonly string[] {
  return [...permissions, ...finer[role]];
}
