import type { SignedInUser } from "../../app/session";

// Beside the permissions of login, as services/identity/domain/api-tokens.ts has them.
const finer: Readonly<Record<SignedInUser["role"], readonly string[]>> = {
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
// A token with one would promise what no call of the role needs.
const withheld: Partial<Record<SignedInUser["role"], readonly string[]>> = { AGENT: ["transactions:create"] };

/** What a token of this person may be given. */
export function scopesFor({ role, permissions }: Pick<SignedInUser, "role" | "permissions">): readonly string[] {
  return [...permissions, ...finer[role]].filter((scope) => !withheld[role]?.includes(scope));
}
