import { RecordDepositResponse } from "../../../../proto/gen/wallet/v1/wallet.js";
import type { RulesOf } from "./rules.js";

/** Money that arrived at the tenant's bank, into the wallet that the operator names. */
export function depositRules(crashPoint: (name: string) => void): RulesOf<"DEPOSIT"> {
  return {
    DEPOSIT: {
      operation: "wallet.v1.RecordDeposit",
      answer: ({ movementId: depositId }, { creditBalanceMinor: newBalanceMinor }) =>
        RecordDepositResponse.encode({ depositId, newBalanceMinor }).finish(),
      crashPoints: {
        recorded: () => crashPoint("wallet.deposit.recorded"),
        posted: () => crashPoint("wallet.deposit.posted"),
        ended: () => crashPoint("wallet.deposit.ended"),
      },
    },
  };
}
