import { PayCounterPayableResponse } from "../../../../proto/gen/wallet/v1/counter.js";
import { passing } from "../../../kernel/refusal.js";
import type { WalletStore } from "../../store/index.js";
import { counterPayableToWire } from "../../wire/counter-payables.js";
import { tillWrites } from "./cash.js";
import { assertPresent, isDone, type RulesOf } from "./rules.js";

/** What came back of a counter sale, out of a till; its code was right before it began. */
export function counterPayableRules({
  store,
  crashPoint,
}: {
  store: WalletStore;
  crashPoint: (name: string) => void;
}): RulesOf<"COUNTER_PAYABLE"> {
  const throughTill = tillWrites(store);
  return {
    COUNTER_PAYABLE: {
      isCash: true,
      operation: "wallet.v1.PayCounterPayable",
      answer: ({ counterPayable }, { postedAt: paidAt }) => {
        const payable = counterPayableToWire({ ...assertPresent(counterPayable), status: "PAID", paidAt });
        return PayCounterPayableResponse.encode({ payable }).finish();
      },
      async onBegin(tenantId, movement, session) {
        const { payableId, code } = assertPresent(movement.counterPayable);
        const taken = await store.forTenant(tenantId).takeCounterPayable(payableId, code?.codeId ?? "", session);
        if (!taken) throw passing("STATE_CONFLICT", "it was paid, or its code replaced, at this moment");
        await throughTill.onBegin?.(tenantId, movement, session);
      },
      async onEnd(tenantId, movement, ending, session) {
        const { payableId, paidBy = "", tillId = "", document } = assertPresent(movement.counterPayable);
        const paid = { paidBy, tillId, ...(document !== undefined && { document }) };
        const change = isDone(ending)
          ? { status: "PAID" as const, paidAt: ending.postedAt, ...paid }
          : { status: "OPEN" as const };
        await store.forTenant(tenantId).endCounterPayable(payableId, change, session);
        await throughTill.onEnd?.(tenantId, movement, ending, session);
      },
      crashPoints: {
        recorded: () => crashPoint("wallet.counter-payable.recorded"),
        posted: () => crashPoint("wallet.counter-payable.posted"),
        ended: () => crashPoint("wallet.counter-payable.ended"),
      },
    },
  };
}
