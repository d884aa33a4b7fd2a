import { dayOf } from "../../kernel/time/calendar-day.js";
import type { Clock } from "../../kernel/time/clock.js";
import { createOriginators, type OriginatorsDeps } from "../clients/originators.js";
import type { Taker } from "../clients/payout-partners.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import { needsParties, orderPartiesOf, unsaidMembers } from "../domain/order-parties.js";
import { payoutOf, type StartedTo } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";

/** Whether a partner has to be told of both sides: what is handed out here goes to none. */
const mustSayParties = (transaction: Transaction) => needsParties(transaction) && isPaidByPartner(transaction);

export type OrderFreezing = ReturnType<typeof createOrderFreezing>;

/** What an order says of its parties, as it is from its first sending on. */
export function createOrderFreezing({ identity, clock }: OriginatorsDeps & { clock: Clock }) {
  const originators = createOriginators(identity);
  /**
   * What a transaction starts with at whoever takes it; undefined where what the policy asks would
   * not be said. Refuses UNAVAILABLE.
   */
  return async function freeze(
    tenantId: string,
    transaction: Transaction,
    { installationId, contract }: Taker,
    signal?: AbortSignal,
  ): Promise<StartedTo | undefined> {
    const { sender, interactionId } = transaction;
    if (payoutOf(transaction).sentAt !== undefined) return { installationId };
    // Its partner may have been put down to contract 1 since it was chosen.
    if (contract === 1) return mustSayParties(transaction) ? undefined : { installationId };
    const cause = payoutOf(transaction).interactionId || interactionId;
    const call = { tenantId, interactionId: cause, ...(signal !== undefined && { signal }) };
    const orderParties = orderPartiesOf(transaction, await originators.of(sender.customerId, call), dayOf(clock.now()));
    return unsaidMembers(transaction, orderParties).length > 0 ? undefined : { installationId, orderParties };
  };
}
