import { PartnerBusy } from "../../kernel/batching/bound.js";
import { Refusal } from "../../kernel/refusal.js";
import { chooseInstallation, placeOf, type PayoutPlace } from "../domain/payout-routes.js";
import type { OutgoingContext } from "../../kernel/grpc/client.js";
import { isPaidByPartner } from "../domain/accepted-payout-polling.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import { askedMembers, needsParties, unsaidMembers } from "../domain/order-parties.js";
import type { Installation } from "../../platform/plugins/installations.js";
import { payoutContractOf, type PayoutContract } from "../../platform/plugins/payout-version.js";
import { carryingOf, isBankOfFiles, type Carrying } from "./bank-files/carried.js";
import { isPayableBy, lengthInFile } from "./bank-files/fit.js";
import type { InstalledConnectors } from "./installed-connectors.js";
import type { PartiesOf } from "./originators.js";

export interface PayoutPartnersDeps {
  installed: Pick<InstalledConnectors, "installations" | "isAway" | "placesOf" | "probe">;
  /** Whether the operator's default serves the tenant. */
  hasDefault: (tenantId: string) => boolean;
  /** Which contract it speaks; 1 where absent. */
  defaultContract?: (tenantId: string) => PayoutContract;
  partiesOf: PartiesOf;
  /** Where it calls back; none where absent. */
  callbackUrlOf?: (tenantId: string, installationId?: string) => string | undefined;
}

/** Who takes a payout; without an installation the operator's default. */
export interface Taker {
  installationId?: string;
  contract: PayoutContract;
  /** What its messages have room for; all of it where absent. */
  carrying?: Carrying;
  /** Where it calls back; absent where it does not. */
  callbackUrl?: string | undefined;
}

/** What an order has a partner read, as its sender calls it. */
export interface PartnerText {
  path: string;
  text: string;
  most: number;
}

// Of no script but Latin, and so as long in a file as it is.
const isPlain = /^[\x20-\x7e]*$/;

export type PayoutPartners = ReturnType<typeof createPayoutPartners>;

/**
 * Who pays out for a tenant: its own partners, and the operator's
 * default for what they do not take.
 */
export function createPayoutPartners(deps: PayoutPartnersDeps) {
  const { installed, hasDefault, defaultContract = () => 1, partiesOf, callbackUrlOf = () => undefined } = deps;
  const { installations } = installed;

  const byDefault = (tenantId: string): Taker => ({
    contract: defaultContract(tenantId),
    callbackUrl: callbackUrlOf(tenantId),
  });

  const takerBy = (tenantId: string, own: Installation): Taker => ({
    installationId: own.installationId,
    contract: payoutContractOf(own),
    carrying: carryingOf(own),
    callbackUrl: isBankOfFiles(own) ? undefined : callbackUrlOf(tenantId, own.installationId),
  });

  /** Whether the default may have it: what the policy asks goes to whoever is told of it alone. */
  const isForDefault = (tenantId: string, transaction: Transaction) =>
    hasDefault(tenantId) && (!needsParties(transaction) || defaultContract(tenantId) === 2);

  /** Those who are told what the policy asks: the others are passed by. */
  async function toldOf(tenantId: string, transaction: Transaction, own: readonly Installation[]) {
    const place = placeOf(transaction);
    const told = own.filter((one) => payoutContractOf(one) === 2);
    if (!told.some((one) => isBankOfFiles(one) && chooseInstallation(place, [one], () => false))) return told;
    const parties = await partiesOf(tenantId, transaction);
    const asked = askedMembers(transaction);
    return told.filter((one) => unsaidMembers(transaction, carryingOf(one)(parties, asked)).length === 0);
  }

  /**
   * Those whose files have room for it: a bank that none of them has would refuse it, although
   * somebody else takes it. Where nobody else does, it is refused with its reason.
   */
  async function fitting(tenantId: string, transaction: Transaction, all: readonly Installation[]) {
    const place = placeOf(transaction);
    const isOpen = (some: readonly Installation[]) => chooseInstallation(place, some, () => false) !== undefined;
    if (!all.some((one) => isBankOfFiles(one) && isOpen([one]))) return all;
    const isTold = (one: Installation) => isBankOfFiles(one) && payoutContractOf(one) === 2;
    const whole = all.some(isTold) ? await partiesOf(tenantId, transaction) : undefined;
    const fit = all.filter((one) => {
      if (!isBankOfFiles(one)) return true;
      const parties = whole && isTold(one) ? carryingOf(one)(whole, askedMembers(transaction)) : undefined;
      return isPayableBy(one, transaction, parties);
    });
    return isOpen(fit) || isForDefault(tenantId, transaction) ? fit : all;
  }

  /** `all` are those that may have it at all. */
  async function chosen(tenantId: string, transaction: Transaction) {
    const { interactionId } = payoutOf(transaction);
    const own = await installations.of({ tenantId, interactionId: interactionId || transaction.interactionId });
    const told = needsParties(transaction) ? await toldOf(tenantId, transaction, own) : own;
    const all = await fitting(tenantId, transaction, told);
    // Nothing new is bound to one that was away before it has answered
    // a question that pays nothing.
    for (const one of all) installed.probe(tenantId, one);
    return { all, taken: chooseInstallation(placeOf(transaction), all, installed.isAway) };
  }

  return {
    /**
     * Who takes a payout that was not handed over yet. Undefined where nobody may have it as it is,
     * whoever comes back: the policy asks members, and no partner for it is told of them. Refuses
     * UNAVAILABLE where there is nobody at the moment, PartnerBusy where it has enough to do: the
     * payout waits, in nobody's hands.
     */
    async takerOf(tenantId: string, transaction: Transaction): Promise<Taker | undefined> {
      if (!isPaidByPartner(transaction)) return { contract: 1 };
      const { sentAt, installationId } = payoutOf(transaction);
      if (sentAt !== undefined) return { ...(installationId !== undefined && { installationId }), contract: 1 };
      const { all, taken } = await chosen(tenantId, transaction);
      const isByDefault = isForDefault(tenantId, transaction);
      if (taken === undefined && !isByDefault && needsParties(transaction) && !isForAny(transaction, all)) {
        return undefined;
      }
      // Whoever has plugins and no default is asked again later; without either it
      // waits at the default, as ever.
      if (taken === undefined && all.length > 0 && !isByDefault) {
        const first = chooseInstallation(placeOf(transaction), all, () => false);
        const places = first && installed.placesOf(first);
        if (places?.free() === 0) throw new PartnerBusy(places);
        throw new Refusal("UNAVAILABLE", "no partner takes this payout at the moment");
      }
      const places = taken && installed.placesOf(taken);
      if (places?.free() === 0) throw new PartnerBusy(places);
      return taken === undefined ? byDefault(tenantId) : takerBy(tenantId, taken);
    },

    /** A batch's partner as it is now. */
    async takerAt(tenantId: string, installationId: string | undefined): Promise<Taker> {
      if (installationId === undefined) return byDefault(tenantId);
      const all = await installations.of({ tenantId, interactionId: "batches" });
      const own = all.find((one) => one.installationId === installationId);
      return own === undefined ? { installationId, contract: 1 } : takerBy(tenantId, own);
    },

    /**
     * Refuses STATE_CONFLICT where a partner of contract 2 takes files alone, and so no amendment
     * of what it has.
     */
    async checkTakesAmendments(installationId: string | undefined, call: OutgoingContext): Promise<void> {
      if (installationId === undefined) return;
      const all = await installations.of(call);
      const own = all.find((one) => one.installationId === installationId);
      if (own === undefined || !isBankOfFiles(own)) return;
      throw new Refusal("STATE_CONFLICT", "its bank takes files alone, and no amendment of what it has: ask the bank");
    },

    /** Whether a batch's partner still takes what has joined it. */
    async stillTakes(tenantId: string, installationId: string | undefined, transaction: Transaction): Promise<boolean> {
      if (installationId === undefined) return !needsParties(transaction) || isForDefault(tenantId, transaction);
      const { all, taken } = await chosen(tenantId, transaction);
      const own = all.filter((one) => one.installationId === installationId);
      const takesAlone = chooseInstallation(placeOf(transaction), own, () => false) !== undefined;
      // One that is slow to answer keeps it where nobody else would have it.
      return (
        takesAlone && (!own.some(installed.isAway) || (taken === undefined && !isForDefault(tenantId, transaction)))
      );
    },

    /**
     * Refuses TEXT_TOO_LONG_FOR_PARTNER where a bank that takes files is open to an order: a file
     * carries less of a text, and spelling it out makes it longer.
     */
    async checkTexts(place: PayoutPlace, texts: readonly PartnerText[], call: OutgoingContext): Promise<void> {
      const doubtful = texts.filter(({ text, most }) => text.length > most || !isPlain.test(text));
      if (doubtful.length === 0) return;
      const all = (await installations.of(call)).filter(isBankOfFiles);
      for (const { path, text, most } of doubtful) {
        const tooLong = all.filter((bank) => lengthInFile(text, bank) > most);
        if (chooseInstallation(place, tooLong, () => false) === undefined) continue;
        const message = `must have at most ${most} characters as a bank's file spells it`;
        throw new Refusal("TEXT_TOO_LONG_FOR_PARTNER", message, { errors: [{ path, message }] });
      }
    },

    /**
     * Whether only banks of files are open to an order: by their format a day of birth goes with
     * its place or not at all.
     */
    async areToldWholeBirths(transaction: Transaction, call: OutgoingContext): Promise<boolean> {
      const { tenantId } = call;
      if (!isPaidByPartner(transaction) || (hasDefault(tenantId) && defaultContract(tenantId) === 2)) return false;
      const told = (await installations.of(call)).filter((one) => payoutContractOf(one) === 2);
      const others = told.filter((one) => !isBankOfFiles(one));
      return isForAny(transaction, told) && !isForAny(transaction, others);
    },

    /** Whose statements speak of the tenant's payouts; undefined is the operator's default. */
    async ofTenant(tenantId: string): Promise<(string | undefined)[]> {
      const all = await installations.of({ tenantId, interactionId: "statements" });
      const own = all.map(({ installationId }) => installationId);
      return hasDefault(tenantId) || own.length === 0 ? [undefined, ...own] : own;
    },
  };
}

/** Whether one of them takes such payouts, whether or not it is away. */
function isForAny(transaction: Transaction, all: readonly Installation[]): boolean {
  return chooseInstallation(placeOf(transaction), all, () => false) !== undefined;
}
