import { equivalentOf } from "../../kernel/equivalent.js";
import type { OutgoingContext } from "../../kernel/grpc/client.js";
import type { PayoutPartners } from "../clients/payout-partners.js";
import { createTransparencyProfiles, type KnownTransparencyProfiles } from "../clients/transparency-profiles.js";
import type { CurrencyPair } from "../domain/rate.js";
import type { Transaction } from "../domain/transaction.js";
import {
  knownMembersOf,
  linkedWith,
  mayBeLifted,
  mostSent,
  profileOf,
  sumsOf,
  type LinkedSpan,
  type TransparencyFacts,
} from "../domain/transparency.js";
import type { PriceBook, PriceBooks } from "../store/price-books.js";
import type { RemittanceStore } from "../store/index.js";

export interface TransparencyFactsDeps {
  store: RemittanceStore;
  prices: PriceBooks;
  profiles: KnownTransparencyProfiles;
  /** Who may take orders; all that is asked is told where absent. */
  partners?: Pick<PayoutPartners, "areToldWholeBirths">;
}

export type TransparencyFactsOf = ReturnType<typeof createTransparencyFacts>;

const hourMs = 3_600_000;

/** What the transparency policies of tenants ask, and what orders are to them. */
export function openTransparency(
  deps: Omit<TransparencyFactsDeps, "profiles"> & Parameters<typeof createTransparencyProfiles>[0],
) {
  const profiles = createTransparencyProfiles(deps);
  return { prices: deps.prices, profiles, transparencyFacts: createTransparencyFacts({ ...deps, profiles }) };
}

/** What compliance is told of orders for its transparency policy. */
function createTransparencyFacts({ store, prices, profiles, partners }: TransparencyFactsDeps) {
  /**
   * Of a transaction that is stored already: of two that are created at once, one at least finds
   * the other. `atLeast` is a version of the policy that there is.
   */
  return async function factsOf(
    transaction: Transaction,
    call: OutgoingContext,
    { span = "SINCE", atLeast = 0 }: { span?: LinkedSpan; atLeast?: number } = {},
  ): Promise<TransparencyFacts> {
    const { tenantId } = call;
    const { price, createdAt: at, transferInformation } = transaction;
    const known = await profiles.of(call, atLeast);
    const { policyVersion } = known;
    const knownMembers = knownMembersOf(transaction);
    const profile = profileOf(known, transferInformation);
    if (profile === undefined) return { policyVersion, knownMembers };
    const isBirthWhole = await partners?.areToldWholeBirths(transaction, call);
    const of = { policyVersion, profile: profile.profile, knownMembers, ...(isBirthWhole && { isBirthWhole }) };
    let book: Promise<PriceBook> | undefined;
    const findRate = async (pair: CurrencyPair) =>
      (await (await (book ??= prices.of(tenantId))).rateAt(pair, at))?.rate;
    const amount = await equivalentOf(price.principal, profile.currency, findRate);
    if (amount === undefined) return of;
    const linkedMs = profile.linkedHours * hourMs;
    const between = {
      since: new Date(at.getTime() - linkedMs),
      ...(span !== "SINCE" && { until: span === "BEFORE" ? at : new Date(at.getTime() + linkedMs) }),
    };
    const sent = mayBeLifted(profile, amount)
      ? await store.forTenant(tenantId).listSentTogether(between, transaction, mostSent + 1)
      : [];
    if (sent.length > mostSent) return { ...of, amount };
    const linkedAmount = await linkedWith(amount, sumsOf(sent), findRate);
    return { ...of, amount, ...(linkedAmount !== undefined && { linkedAmount }) };
  };
}
