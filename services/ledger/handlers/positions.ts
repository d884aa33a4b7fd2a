import {
  RevaluePositionsRequest,
  RevaluePositionsResponse,
  type PositionServiceDefinition,
} from "../../../proto/gen/ledger/v1/positions.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dayText } from "../domain/days.js";
import { createPositions, type PositionDeps } from "../sagas/positions.js";
import { createRevaluations, dayOfDate } from "../sagas/revaluation.js";
import { createUnrevaluedDays } from "../store/unrevalued-days.js";
import { middleRatesFromWire, positionToWire, rateToWire, revaluationToWire } from "../wire/positions.js";
import { dayFromWire } from "../wire/values.js";
import type { LedgerDeps } from "./deps.js";

type Deps = PositionDeps & Pick<LedgerDeps, "runOnce" | "positionJob">;

const maxDaysShown = 100;

/** What exchanges left, counted to the journal's end before it is read, and what it is worth. */
export function positionHandlers(deps: Deps) {
  const { middleRates, preferences, businessClock, runOnce, positionJob } = deps;
  const counted = createPositions(deps);
  const revaluations = createRevaluations(deps);
  const unrevalued = createUnrevaluedDays(deps.db);

  return {
    async getPositions(_request, call) {
      const { tenantId, interactionId } = call;
      const [books, { baseCurrency }, time] = await Promise.all([
        counted.all(call),
        preferences.of(call),
        businessClock.forTenant(tenantId, interactionId),
      ]);
      const rates = middleRates.forTenant(tenantId);
      const positions = books.flatMap((book) => book.positions.map((position) => ({ book, position })));
      const days = await unrevalued(tenantId, dayOfDate(time.today()) - 1, books);
      return {
        baseCurrency,
        positions: await Promise.all(
          positions.map(async ({ book, position }) =>
            positionToWire(book, position, await rates.newest(position.currency, book.base)),
          ),
        ),
        waiting: books.flatMap(({ code, waiting }) => {
          if (waiting === undefined) return [];
          const { seq, currencies, day } = waiting;
          return [{ code, sequence: seq, currencies: [...currencies], day: dayText(day) }];
        }),
        priced: books.flatMap(({ code, priced }) =>
          priced.map(({ seq, day, rates: by }) => ({
            code,
            sequence: seq,
            day: dayText(day),
            rates: by.map(rateToWire),
          })),
        ),
        unrevaluedDays: days.slice(0, maxDaysShown).map(dayText),
      };
    },

    async recordMiddleRates({ rates }, { tenantId }) {
      const told = middleRatesFromWire(rates);
      const tenant = middleRates.forTenant(tenantId);
      for (const rate of told) await tenant.record(rate);
      // What waits for a rate goes on.
      await positionJob.hurry(tenantId);
      return {};
    },

    async revaluePositions(request, call) {
      const day = dayFromWire(request.day, "day");
      return runOnce({
        operation: "ledger.v1.RevaluePositions",
        request,
        requestType: RevaluePositionsRequest,
        response: RevaluePositionsResponse,
        call,
        async prepare() {
          const time = await businessClock.forTenant(call.tenantId, call.interactionId);
          if (day >= dayOfDate(time.today())) throw invalidInput("day", "must be over");
          const by = { ...call, revaluedBy: actorOf(call), isAsked: true };
          return revaluations.revalueDay(by, await counted.all(call), day);
        },
        work: async (_session, done) => ({ revaluation: revaluationToWire(done, true) }),
      });
    },

    async getRevaluation(request, call) {
      const day = dayFromWire(request.day, "day");
      const done = await deps.positions.forTenant(call.tenantId).findRevaluation(day);
      if (done === undefined) throw new Refusal("NOT_FOUND", `${dayText(day)} was not revalued`);
      const isCurrent = await revaluations.isCurrent(call, await counted.all(call), done);
      return { revaluation: revaluationToWire(done, isCurrent) };
    },
  } satisfies Partial<Handlers<PositionServiceDefinition>>;
}
