import type { MovementRules, RulesOf } from "./rules.js";

// Nobody waits for its answer: a second manager has approved it.
const rules: MovementRules = { operation: "", answer: () => new Uint8Array() };

/** Cash between the tenant's bank and its vault. */
export const vaultRules: RulesOf<"VAULT_FROM_BANK" | "VAULT_TO_BANK"> = {
  VAULT_FROM_BANK: rules,
  VAULT_TO_BANK: rules,
};
