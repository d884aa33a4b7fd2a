import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Step } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { Session } from "../store/index.js";
import type { RemittanceDeps } from "./deps.js";
import { paymentOver } from "./payment-wait.js";

type Deps = Pick<RemittanceDeps, "store" | "people"> & { steps: PayoutSteps };

/** A change of a transaction's state that a person asks for. */
export function createChangeByPerson({ store, people, steps }: Deps) {
  return {
    /**
     * Waits until no payment holds the transaction. Refuses who may not see it; one that is not
     * there is refused by `write`, under the request's key.
     */
    async awaitPayment(transactionId: string, call: Call): Promise<void> {
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.findTransaction(transactionId);
      if (found === undefined) return;
      await people.assertMaySee(found, call);
      await paymentOver(tenant, found, call);
    },

    /**
     * Writes the step that `decide` gives, and gives the transaction as it then is; undefined
     * changes nothing. Refuses TRANSACTION_NOT_FOUND and who may not change it.
     */
    async write(
      transactionId: string,
      call: Call,
      session: Session,
      decide: (before: Transaction) => Step | undefined,
    ): Promise<Transaction> {
      const { tenantId, interactionId } = call;
      const before = await store.forTenant(tenantId).findTransaction(transactionId, session);
      if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
      await people.assertMayChange(before, call);
      const step = decide(before);
      const by = { actor: actorOf(call), interactionId };
      return step === undefined ? before : steps.write(tenantId, before, step, by, session);
    },
  };
}
