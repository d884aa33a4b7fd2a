import { v7 as uuidv7 } from "uuid";
import {
  DeclareDividendRequest,
  DeclareDividendResponse,
  type InvestmentServiceDefinition,
} from "../../../proto/gen/investment/v1/investment.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { moneyFromWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dividendAggregate } from "../jobs/dividends.js";
import { isBefore } from "../domain/dates.js";
import type { Dividend } from "../domain/dividend.js";
import { dividendToWire } from "../wire/dividends.js";
import { dateFromWire, uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";
import { rowKinds } from "../row-kinds.js";

/**
 * An amount for the holders of a product. Refuses NOT_FOUND, CURRENCY_MISMATCH and
 * AMOUNT_NOT_POSITIVE; days that are not over are bad input.
 */
export function dividendHandlers(deps: InvestmentDeps) {
  const { store, runOnce, outbox, ceilings } = deps;
  return {
    async declareDividend(request, call) {
      const dividend = await dividendOf(deps, request, call);
      const { tenantId, interactionId } = call;
      const actor = actorOf(call);
      const answer = await runOnce({
        operation: "investment.v1.DeclareDividend",
        request,
        requestType: DeclareDividendRequest,
        response: DeclareDividendResponse,
        call,
        async work(session) {
          const tenant = store.forTenant(tenantId);
          const product = await tenant.findProduct(dividend.productId, session);
          if (product === undefined) throw new Refusal("NOT_FOUND", "no such investment product");
          if (product.currency !== dividend.amount.currency) {
            throw new Refusal("CURRENCY_MISMATCH", `the product is held in ${product.currency}`);
          }
          await ceilings.check(call, dividend.amount);
          await tenant.insertDividend(dividend, session);
          const { dividendId } = dividend;
          const row = { tenantId, aggregate: dividendAggregate(dividendId), seq: 1, kind: rowKinds.shareOutDividend };
          await outbox.add({ ...row, payload: { dividendId }, interactionId, actor }, session);
          return { dividend: dividendToWire(dividend) };
        },
      });
      outbox.wake();
      return answer;
    },

    async getDividend(request, call) {
      const dividendId = uuidFromWire(request.dividendId, "dividendId");
      const dividend = await store.forTenant(call.tenantId).findDividend(dividendId);
      if (dividend === undefined) throw new Refusal("NOT_FOUND", "no such dividend");
      const failed =
        dividend.failedMinor === 0n ? [] : await store.forTenant(call.tenantId).failedHoldings(dividendId, 100);
      return { dividend: dividendToWire(dividend, failed) };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

async function dividendOf(
  { businessClock }: InvestmentDeps,
  request: DeclareDividendRequest,
  call: Call,
): Promise<Dividend> {
  const time = await businessClock.forTenant(call.tenantId, call.interactionId);
  const [from, to] = [dateFromWire(request.from, "from"), dateFromWire(request.to, "to")];
  if (!isBefore(from, to)) throw invalidInput("to", "must be after from");
  if (isBefore(time.today(), to)) throw invalidInput("to", "must not be after today");
  const amount = moneyFromWire(request.amount, "amount");
  if (amount.minor <= 0n) throw new Refusal("AMOUNT_NOT_POSITIVE", "amount must be above zero");
  return {
    dividendId: uuidv7(),
    productId: uuidFromWire(request.productId, "productId"),
    from,
    to,
    amount,
    status: "DECLARED",
    holdings: 0n,
    paidMinor: 0n,
    taxMinor: 0n,
    failedMinor: 0n,
    declaredAt: time.now(),
    interactionId: call.interactionId,
    createdBy: actorOf(call),
  };
}
