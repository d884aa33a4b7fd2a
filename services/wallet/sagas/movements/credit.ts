import { AssignCreditResponse } from "../../../../proto/gen/wallet/v1/money_in.js";
import { passing } from "../../../kernel/refusal.js";
import type { WalletStore } from "../../store/index.js";
import { creditToWire } from "../../wire/credits.js";
import { assertPresent, isDone, type RulesOf } from "./rules.js";

/** A bank transfer that nobody was found for, out of suspense into the wallet that staff names. */
export function creditRules(store: WalletStore): RulesOf<"CREDIT_ASSIGNMENT"> {
  return {
    CREDIT_ASSIGNMENT: {
      operation: "wallet.v1.AssignCredit",
      answer: ({ credit }) => AssignCreditResponse.encode({ credit: creditToWire(assertPresent(credit)) }).finish(),
      async onBegin(tenantId, { subjectId = "" }, session) {
        const wallet = store.forTenant(tenantId);
        if (await wallet.moveCredit(subjectId, "UNMATCHED", { status: "ASSIGNING" }, session)) return;
        // It is free again where the other assignment fails.
        throw passing("STATE_CONFLICT", "the credit has just been given to somebody");
      },
      async onEnd(tenantId, { subjectId = "", accountId }, ending, session) {
        const change = isDone(ending) ? { status: "ASSIGNED" as const, accountId } : { status: "UNMATCHED" as const };
        await store.forTenant(tenantId).moveCredit(subjectId, "ASSIGNING", change, session);
      },
    },
  };
}
