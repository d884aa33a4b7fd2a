import type { WalletStore } from "../../store/index.js";
import { assertPresent, bookedOf, isDone, type MovementRules, type RulesOf } from "./rules.js";

/** Cash between the tenant's bank and a vault. */
export function vaultRules(store: WalletStore): RulesOf<"VAULT_FROM_BANK" | "VAULT_TO_BANK"> {
  const rulesOf = (kind: "FROM_BANK" | "TO_BANK"): MovementRules => ({
    // Nobody waits for its answer: a second manager has approved it.
    operation: "",
    answer: () => new Uint8Array(),
    async onEnd(tenantId, { movementId, transfers, branch, createdBy: movedBy }, ending, session) {
      if (!isDone(ending)) return;
      const { minor, currency } = assertPresent(transfers[0]).amount;
      const amountMinor = kind === "FROM_BANK" ? minor : -minor;
      const line = {
        branch: assertPresent(branch),
        currency,
        kind,
        amountMinor,
        ...bookedOf(ending),
        movedBy,
        movementId,
      };
      await store.forTenant(tenantId).noteVaultLine(line, session);
    },
  });
  return { VAULT_FROM_BANK: rulesOf("FROM_BANK"), VAULT_TO_BANK: rulesOf("TO_BANK") };
}
