import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { money, moneyToWire } from "../../kernel/money.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { reviewed } from "../domain/review.js";
import type { Compliance } from "../clients/neighbours.js";
import { applicationAnswer } from "../wire/application-answer.js";
import type { LendingStore } from "../store/index.js";
import { approvedRow } from "../wire/event-rows.js";

export interface ReviewDeps {
  store: LendingStore;
  compliance: Pick<Compliance, "checkCustomerAction">;
  outbox: Pick<Outbox, "add" | "wake">;
  /** Real time. */
  clock: Clock;
  log: Logger;
}

export type Reviews = ReturnType<typeof createReviews>;

/** So many of all tenants in one run where nothing else is said. */
const takenAtOnce = 100;
/** How long one that could not be worked waits, so that all others have their turn before it. */
const leftForMs = 60_000;

/**
 * Applications that compliance has not decided: it is asked again until it has, and they go on or
 * are refused.
 */
export function createReviews({ store, compliance, outbox, clock, log }: ReviewDeps) {
  /** Asks about one, and writes what came of it unless something else happened to it meanwhile. */
  async function ask(tenantId: string, loanApplicationId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const seen = await tenant.findApplication(loanApplicationId);
    if (seen?.status !== "SUBMITTED" || seen.askAgainAt === undefined) return;
    const product = await tenant.findProductVersion(seen.productId, seen.productVersion);
    if (product === undefined) throw new Error(`application ${loanApplicationId} has no product`);
    const { customerId, asked: requested } = seen;
    const amount = moneyToWire(money(requested.principalMinor, product.currency));
    const interactionId = `review:${randomUUID()}`;
    const check = await compliance.checkCustomerAction(
      { actionId: loanApplicationId, customerId, kind: "LOAN_APPLICATION", amount },
      outgoing({ tenantId, interactionId }),
    );
    await store.transaction(
      async (session) => {
        const now = await tenant.findApplication(loanApplicationId, session);
        if (now?.version !== seen.version) return true;
        const after = reviewed(now, check, product.approvedAtOnce, clock.now());
        await tenant.replaceApplication(after, session);
        if (after.status === "APPROVED") {
          const cause = { tenantId, interactionId, actor: "compliance" };
          await outbox.add(approvedRow(cause, await applicationAnswer(tenant, after), clock.now()), session);
        }
        return true;
      },
      async () => undefined,
    );
    outbox.wake();
  }

  return {
    ask,
    /**
     * Those whose time has come, of all tenants. One that cannot be asked about does not keep the
     * others, however many of its kind there are: it is put behind them.
     */
    async runDue(isStopping: () => boolean = () => false, atOnce = takenAtOnce): Promise<void> {
      for (const { tenantId, loanApplicationId, askAgainAt } of await store.listDueReviews(clock.now(), atOnce)) {
        if (isStopping()) return;
        await ask(tenantId, loanApplicationId).catch(async (error: unknown) => {
          leaveRow(log, "reviews", { tenantId, loanApplicationId }, error);
          const later = new Date(clock.now().getTime() + leftForMs);
          await store
            .forTenant(tenantId)
            .postponeReview(loanApplicationId, { from: askAgainAt, to: later })
            .catch((err: unknown) => log.warn({ err, tenantId, loanApplicationId }, "a review could not be put off"));
        });
      }
    },
  };
}
