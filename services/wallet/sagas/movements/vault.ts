import { MoveVaultCashResponse } from "../../../../proto/gen/wallet/v1/tills.js";
import { moneyToWire } from "../../../kernel/money.js";
import { assertPresent, type MovementRules, type RulesOf } from "./rules.js";

const rules: MovementRules = {
  operation: "wallet.v1.MoveVaultCash",
  answer({ movementId, transfers }, { postedAt: at }) {
    const { amount, kind } = assertPresent(transfers[0]);
    const direction = kind === "vault_from_bank" ? "FROM_BANK" : "TO_BANK";
    return MoveVaultCashResponse.encode({
      movement: { movementId, amount: moneyToWire(amount), direction, at },
    }).finish();
  },
};

/** Cash between the tenant's bank and its vault. */
export const vaultRules: RulesOf<"VAULT_FROM_BANK" | "VAULT_TO_BANK"> = {
  VAULT_FROM_BANK: rules,
  VAULT_TO_BANK: rules,
};
