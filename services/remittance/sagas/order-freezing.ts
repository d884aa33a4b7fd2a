import type { PartiesOf } from "../clients/originators.js";
import type { Taker } from "../clients/payout-partners.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import { askedMembers, needsParties, unsaidMembers } from "../domain/order-parties.js";
import { payoutOf, type StartedTo } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";

/** Whether a partner has to be told of both sides: what is handed out here goes to none. */
const mustSayParties = (transaction: Transaction) => needsParties(transaction) && isPaidByPartner(transaction);

export type OrderFreezing = ReturnType<typeof createOrderFreezing>;

/** What an order says of its parties, as it is from its first sending on. */
export function createOrderFreezing({ partiesOf }: { partiesOf: PartiesOf }) {
  /**
   * What a transaction starts with at whoever takes it; undefined where what the policy asks would
   * not be said. Refuses UNAVAILABLE.
   */
  return async function freeze(
    tenantId: string,
    transaction: Transaction,
    { installationId, contract, carrying, callbackUrl }: Taker,
    signal?: AbortSignal,
  ): Promise<StartedTo | undefined> {
    if (payoutOf(transaction).sentAt !== undefined) return { installationId };
    // Its partner may have been put down to contract 1 since it was chosen.
    if (contract === 1) return mustSayParties(transaction) ? undefined : { installationId, callbackUrl };
    const whole = await partiesOf(tenantId, transaction, signal);
    const orderParties = carrying?.(whole, askedMembers(transaction)) ?? whole;
    return unsaidMembers(transaction, orderParties).length > 0
      ? undefined
      : { installationId, callbackUrl, orderParties };
  };
}
