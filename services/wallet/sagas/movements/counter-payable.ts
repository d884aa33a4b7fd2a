import { PayCounterPayableResponse } from "../../../../proto/gen/wallet/v1/counter.js";
import { passing } from "../../../kernel/refusal.js";
import type { Movement, MovementEnding } from "../../domain/movement.js";
import type { Session } from "../../store/collections.js";
import type { WalletStore } from "../../store/index.js";
import { counterPayableToWire } from "../../wire/counter-payables.js";
import { countedBy, tillWrites } from "./cash.js";
import { assertPresent, isDone, type DoneEnding, type RulesOf } from "./rules.js";

type CounterPayableDeps = Parameters<typeof countedBy>[0] & {
  store: WalletStore;
  crashPoint: (name: string) => void;
};

/** What came back of a counter sale, out of a till; its code was right before it began. */
export function counterPayableRules(deps: CounterPayableDeps): RulesOf<"COUNTER_PAYABLE"> {
  const { store, crashPoint } = deps;
  const throughTill = tillWrites(store);
  const payable = counterPayableWrites(store);
  return {
    COUNTER_PAYABLE: {
      ...countedBy(deps),
      operation: "wallet.v1.PayCounterPayable",
      answer: (movement, ending) => PayCounterPayableResponse.encode(payable.paid(movement, ending)).finish(),
      async onBegin(tenantId, movement, session) {
        await payable.onBegin(tenantId, movement, session);
        await throughTill.onBegin?.(tenantId, movement, session);
      },
      async onEnd(tenantId, movement, ending, session) {
        await payable.onEnd(tenantId, movement, ending, session);
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

/** Of the payable itself, which is given once, whosever cash it is. */
export function counterPayableWrites(store: Pick<WalletStore, "forTenant">) {
  return {
    paid: ({ counterPayable }: Movement, { postedAt: paidAt }: DoneEnding) => ({
      payable: counterPayableToWire({ ...assertPresent(counterPayable), status: "PAID", paidAt }),
    }),
    async onBegin(tenantId: string, movement: Movement, session: Session): Promise<void> {
      const { payableId, code } = assertPresent(movement.counterPayable);
      const taken = await store.forTenant(tenantId).takeCounterPayable(payableId, code?.codeId ?? "", session);
      if (!taken) throw passing("STATE_CONFLICT", "it was paid, or its code replaced, at this moment");
    },
    async onEnd(tenantId: string, movement: Movement, ending: MovementEnding, session: Session): Promise<void> {
      const { payableId, paidBy = "", tillId, document } = assertPresent(movement.counterPayable);
      const paid = { paidBy, ...(tillId !== undefined && { tillId }), ...(document !== undefined && { document }) };
      const change = isDone(ending)
        ? { status: "PAID" as const, paidAt: ending.postedAt, ...paid }
        : { status: "OPEN" as const };
      await store.forTenant(tenantId).endCounterPayable(payableId, change, session);
    },
  };
}
