import type { InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import type { Holding } from "../domain/holding.js";
import { returnEventOf } from "../domain/movement.js";
import { returnsOf } from "../domain/returns.js";
import type { Page } from "../store/types.js";
import { holdingToWire, movementToWire, returnsToWire } from "../wire/holdings.js";
import { pageFromWire, uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";
type Deps = Pick<InvestmentDeps, "store" | "people" | "businessClock">;

/** What customers hold, and what became of it. */
export function holdingHandlers(deps: InvestmentDeps) {
  const { store, people, businessClock } = deps;

  async function listUnpaid(customerId: string, page: Page, call: Call) {
    if (customerId !== "") throw invalidInput("customerId", "is not named beside unpaid");
    if (requireUser(call).role !== "MANAGER") throw new Refusal("FORBIDDEN", "only a MANAGER sees what is unpaid");
    return pageOf(await store.forTenant(call.tenantId).listUnpaid(page), page);
  }

  return {
    /** Refuses FORBIDDEN, CUSTOMER_NOT_FOUND. */
    async listHoldings(request, call) {
      const page = pageFromWire(request);
      if (request.unpaid) return listUnpaid(request.customerId, page, call);
      const named = request.customerId === "" ? "" : uuidFromWire(request.customerId, "customerId");
      const customerId = await people.whose(named, call);
      const holdings = await store.forTenant(call.tenantId).listHoldings(customerId, page);
      return pageOf(holdings, page);
    },

    async getHolding(request, call) {
      const holding = await visible(deps, request.holdingId, call);
      const movements = await store.forTenant(call.tenantId).allMovements(holding.holdingId);
      const today = (await businessClock.forTenant(call.tenantId, call.interactionId)).today();
      const valueMinor = holding.principalMinor + holding.accruedMinor;
      // A dividend is paid after the days that it is for.
      const inOrder = movements.toSorted((a, b) => Temporal.PlainDate.compare(a.date, b.date));
      const returns = returnsOf(inOrder.map(returnEventOf), valueMinor, today);
      return { holding: holdingToWire(holding), returns: returnsToWire(returns, valueMinor, holding.currency) };
    },

    async listMovements(request, call) {
      const page = pageFromWire(request);
      const { holdingId, currency } = await visible(deps, request.holdingId, call);
      const movements = await store.forTenant(call.tenantId).listMovements(holdingId, page);
      const last = movements.length === page.limit ? movements.at(-1) : undefined;
      return {
        movements: movements.map((movement) => movementToWire(movement, currency)),
        nextCursor: last?.movementId ?? "",
      };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

function pageOf(holdings: readonly Holding[], page: Page) {
  const last = holdings.length === page.limit ? holdings.at(-1) : undefined;
  return { holdings: holdings.map(holdingToWire), nextCursor: last?.holdingId ?? "" };
}

/** Refuses NOT_FOUND, and FORBIDDEN for what is another customer's. */
async function visible({ store, people }: Deps, id: string, call: Call): Promise<Holding> {
  const holding = await store.forTenant(call.tenantId).findHolding(uuidFromWire(id, "holdingId"));
  if (holding === undefined) throw new Refusal("NOT_FOUND", "no such holding");
  await people.assertMaySee(holding.customerId, call);
  return holding;
}
