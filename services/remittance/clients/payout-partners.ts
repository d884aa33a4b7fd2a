import { PartnerBusy } from "../../kernel/batching/bound.js";
import { Refusal } from "../../kernel/refusal.js";
import { chooseInstallation, placeOf } from "../domain/payout-routes.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { InstalledConnectors } from "./installed-connectors.js";

export interface PayoutPartnersDeps {
  installed: Pick<InstalledConnectors, "installations" | "isAway" | "placesOf" | "probe">;
  /** Whether the operator's default serves the tenant. */
  hasDefault: (tenantId: string) => boolean;
}

export type PayoutPartners = ReturnType<typeof createPayoutPartners>;

/**
 * Who pays out for a tenant: its own partners, and the operator's
 * default for what they do not take.
 */
export function createPayoutPartners({ installed, hasDefault }: PayoutPartnersDeps) {
  const { installations } = installed;
  async function chosen(tenantId: string, transaction: Transaction) {
    const { interactionId } = payoutOf(transaction);
    const all = await installations.of({ tenantId, interactionId: interactionId || transaction.interactionId });
    // Nothing new is bound to one that was away before it has answered
    // a question that pays nothing.
    for (const one of all) installed.probe(tenantId, one);
    return { all, taken: chooseInstallation(placeOf(transaction), all, installed.isAway) };
  }

  return {
    /**
     * Who takes a payout that was not handed over yet: an installation's id, or undefined for the
     * operator's default. Refuses UNAVAILABLE where there is nobody, PartnerBusy where it has
     * enough to do: the payout waits, in nobody's hands.
     */
    async takerOf(tenantId: string, transaction: Transaction): Promise<string | undefined> {
      if (!isPaidByPartner(transaction)) return undefined;
      const { sentAt, installationId } = payoutOf(transaction);
      if (sentAt !== undefined) return installationId;
      const { all, taken } = await chosen(tenantId, transaction);
      // Whoever has plugins and no default is asked again later; without either it
      // waits at the default, as ever.
      if (taken === undefined && all.length > 0 && !hasDefault(tenantId)) {
        const first = chooseInstallation(placeOf(transaction), all, () => false);
        const places = first && installed.placesOf(first);
        if (places?.free() === 0) throw new PartnerBusy(places);
        throw new Refusal("UNAVAILABLE", "no partner takes this payout at the moment");
      }
      const places = taken && installed.placesOf(taken);
      if (places?.free() === 0) throw new PartnerBusy(places);
      return taken?.installationId;
    },

    /** Whether a batch's partner still takes what has joined it. */
    async stillTakes(tenantId: string, installationId: string | undefined, transaction: Transaction): Promise<boolean> {
      if (installationId === undefined) return true;
      const { all, taken } = await chosen(tenantId, transaction);
      const own = all.filter((one) => one.installationId === installationId);
      const takesAlone = chooseInstallation(placeOf(transaction), own, () => false) !== undefined;
      // One that is slow to answer keeps it where nobody else would have it.
      return takesAlone && (!own.some(installed.isAway) || (taken === undefined && !hasDefault(tenantId)));
    },

    /** Whose statements speak of the tenant's payouts; undefined is the operator's default. */
    async ofTenant(tenantId: string): Promise<(string | undefined)[]> {
      const all = await installations.of({ tenantId, interactionId: "statements" });
      const own = all.map(({ installationId }) => installationId);
      return hasDefault(tenantId) || own.length === 0 ? [undefined, ...own] : own;
    },
  };
}
