import { v7 as uuidv7 } from "uuid";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { openCorridors, priceOn, type OfferCustomer } from "../domain/offers.js";
import { pointsFromCsv, type NewPoint } from "../csv/payout-points.js";
import { pointTypeOf, type PayoutPoint, type PointOffer } from "../domain/payout-point.js";
import type { PriceBook } from "../store/price-books.js";
import type { RemittanceStore, TenantStore } from "../store/index.js";
import { isSame, nextVersion, putVersion, type ChangeStamp } from "../store/versioned-store.js";
import {
  pointFromWire,
  pointQueryFromWire,
  pointToWire,
  pricingToWire,
  type PointQuery,
} from "../wire/payout-points.js";
import type { RemittanceDeps } from "./deps.js";
import { loadBasis } from "./make-offer.js";

// Short transactions: a long one could be cut off by the server's limit on their life.
const pointsPerTransaction = 500;

/**
 * Where recipients are paid: kept by managers, loaded from files, and listed with the price of
 * each.
 */
export function payoutPointHandlers({
  store,
  people,
  prices,
  clock,
}: Pick<RemittanceDeps, "store" | "people" | "prices" | "clock">) {
  return {
    async putPayoutPoint(request, call) {
      const requested = pointFromWire(request.point);
      const { payoutPoints } = store.forTenant(call.tenantId);
      const { code } = requested;
      const pointId = (await payoutPoints.find({ code }))?.pointId ?? uuidv7();
      const stamp = { changedAt: clock.now(), changedBy: actorOf(call) };
      const point = await putVersion(store, payoutPoints, { key: { code }, content: { ...requested, pointId }, stamp });
      return { point: pointToWire(point) };
    },

    async loadPayoutPoints({ csv, dryRun }, call) {
      const { lines, rows, faults } = await pointsFromCsv(csv);
      const stamp = { changedAt: clock.now(), changedBy: actorOf(call) };
      const counts = { created: 0, changed: 0, unchanged: 0 };
      for (let from = 0; from < rows.length; from += pointsPerTransaction) {
        call.signal.throwIfAborted();
        const part = rows.slice(from, from + pointsPerTransaction).map(({ row }) => row);
        const done = await putPart(store, call.tenantId, part, stamp, dryRun);
        for (const name of ["created", "changed", "unchanged"] as const) counts[name] += done[name];
      }
      return { lines, ...counts, faults };
    },

    async listPayoutPoints(request, call) {
      const [{ owners, customer, country }, book] = await Promise.all([
        people.allocationsOf(call),
        prices.of(call.tenantId),
      ]);
      const query = pointQueryFromWire(request, country);
      const offers = await offersFor(query, book, clock.now(), customer);
      const found = await findPoints(query, offers, owners, store.forTenant(call.tenantId));
      const points = found.slice(0, query.size);
      return {
        points: points.map(({ point, offer }) => ({
          point: pointToWire(point),
          ...(offer?.price !== undefined && { pricing: pricingToWire(offer) }),
        })),
        nextCursor: found.length > query.size ? (points.at(-1)?.point.code ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Puts some points in one transaction, a round trip for each kind of write. */
async function putPart(
  store: RemittanceStore,
  tenantId: string,
  part: readonly NewPoint[],
  stamp: ChangeStamp,
  isDryRun: boolean,
): Promise<{ created: number; changed: number; unchanged: number }> {
  const { payoutPoints } = store.forTenant(tenantId);
  return store.transaction(
    async (session) => {
      const held = await payoutPoints.list({ code: { $in: part.map(({ code }) => code) } }, { session });
      const byCode = new Map(held.map((point) => [point.code, point]));
      const changes = part.flatMap((requested) => {
        const before = byCode.get(requested.code);
        const content = { ...requested, pointId: before?.pointId ?? uuidv7() };
        return isSame(before, content) ? [] : [nextVersion({ key: { code: requested.code }, content }, before, stamp)];
      });
      if (!isDryRun && changes.length > 0) await payoutPoints.putMany(changes, session);
      const created = changes.filter(({ version }) => version.version === 1).length;
      return { created, changed: changes.length - created, unchanged: part.length - changes.length };
    },
    // What is in says so by itself when it is put again.
    async () => undefined,
  );
}

/**
 * One price for every corridor and method, which all points of that kind share. Where none of them
 * takes the amount, the first refusal names the limit. Refuses CORRIDOR_NOT_FOUND,
 * CORRIDOR_DISABLED and what pricing refuses.
 */
async function offersFor(
  query: PointQuery,
  book: PriceBook,
  now: Date,
  customer: OfferCustomer,
): Promise<PointOffer[]> {
  const open = openCorridors(query, await book.corridorsBetween(query.originCountry, query.receivingCountry));
  const direct = open.filter((one) => !query.withoutConversion || one.sendCurrency === one.receivingCurrency);
  const isPriced = query.sendAmount !== "" || query.amount !== "";
  const offers: PointOffer[] = [];
  let refusal: Refusal | undefined;
  for (const corridor of direct) {
    const methods = corridor.deliveryMethods.filter(
      (one) => query.type === undefined || pointTypeOf(one) === query.type,
    );
    const currency = corridor.receivingCurrency;
    if (!isPriced) {
      for (const one of methods) offers.push({ currency, type: pointTypeOf(one), deliveryMinutes: 0 });
      continue;
    }
    const basis = await loadBasis(corridor, query.promoCode, book, now, customer);
    for (const deliveryMethod of methods) {
      try {
        const { price, deliveryMinutes } = priceOn(basis, { ...query, deliveryMethod, inclusive: false }, customer);
        offers.push({ currency, type: pointTypeOf(deliveryMethod), price, deliveryMinutes });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "AMOUNT_OUT_OF_LIMITS") throw error;
        refusal ??= error;
      }
    }
  }
  if (offers.length === 0 && refusal !== undefined) throw refusal;
  return offers;
}

/**
 * In the order of their codes, one more than the page has. One query a kind, each along its index.
 */
async function findPoints(
  query: PointQuery,
  offers: readonly PointOffer[],
  owners: string[] | undefined,
  tenant: TenantStore,
): Promise<{ point: PayoutPoint; offer?: PointOffer }[]> {
  const { receivingCountry: country, operator, size, after } = query;
  const pages = await Promise.all(
    offers.map(async (offer) => {
      const { currency, type, price } = offer;
      const paidOut = price?.receive.minor;
      const points = await tenant.payoutPoints.list(
        {
          country,
          currency,
          type,
          ...(owners !== undefined && { allocatedTo: { $in: owners } }),
          ...(operator !== "" && { operatorKey: operator }),
          ...(after !== "" && { code: { $gt: after } }),
          ...(paidOut !== undefined && { minimumMinor: { $lte: paidOut }, maximumMinor: { $gte: paidOut } }),
          enabled: true,
        },
        { sort: { code: 1 }, limit: size + 1 },
      );
      return points.map((point) => ({ point, offer }));
    }),
  );
  return pages
    .flat()
    .toSorted((a, b) => (a.point.code < b.point.code ? -1 : 1))
    .slice(0, size + 1);
}
