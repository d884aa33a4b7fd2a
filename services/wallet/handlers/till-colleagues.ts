import type { TillServiceDefinition } from "../../../proto/gen/wallet/v1/tills.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { pageSizeOf } from "./agent-requests.js";
import { readableTill } from "./cash.js";
import type { WalletDeps } from "./deps.js";
import { atDesks } from "./staff-names.js";

/** Whom cash of a till can be offered to. */
export function tillColleagueHandlers(deps: Pick<WalletDeps, "store" | "identity">) {
  const { store } = deps;
  return {
    /** Refuses NOT_FOUND, FORBIDDEN for another person's till. */
    async listTillColleagues(request, call) {
      const size = pageSizeOf(request);
      const till = await readableTill(store, request.tillId, call);
      const wallet = store.forTenant(call.tenantId);
      const all = await wallet.tillsBeside(till, request.cursor, size + 1);
      const tills = all.slice(0, size);
      const holders = tills.map(({ cashierId }) => cashierId);
      const [people, suspended] = await Promise.all([atDesks(deps, holders, call), wallet.suspendedAmong(holders)]);
      return {
        colleagues: tills.flatMap(({ tillId, cashierId }) => {
          const person = people.get(cashierId);
          if (person === undefined || (person.role === "AGENT" && suspended.has(cashierId))) return [];
          return [{ ...person, tillId }];
        }),
        nextCursor: all.length > size ? (tills.at(-1)?.tillId ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<TillServiceDefinition>>;
}
