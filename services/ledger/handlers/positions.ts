import type { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { createPositions, type PositionDeps } from "../sagas/positions.js";

/** What exchanges left, counted to the journal's end before it is read. */
export function positionHandlers(deps: PositionDeps) {
  const positions = createPositions(deps);
  return {
    async getPositions(_request, call) {
      const books = await positions.all(call);
      return {
        baseCurrency: (await deps.preferences.of(call)).baseCurrency,
        positions: books.flatMap(({ code, base, positions: all }) =>
          all.map(({ currency, quantityMinor, costMinor, realisedMinor }) => ({
            code,
            currency,
            baseCurrency: base,
            quantityMinor,
            costMinor,
            realisedMinor,
          })),
        ),
        waiting: books.flatMap(({ code, waiting }) =>
          waiting === undefined ? [] : [{ code, sequence: waiting.seq, currencies: [...waiting.currencies] }],
        ),
      };
    },
  } satisfies Partial<Handlers<PositionServiceDefinition>>;
}
