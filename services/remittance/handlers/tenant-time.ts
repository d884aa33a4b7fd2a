import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Clock } from "../../kernel/time/clock.js";
import { isOpenToOperators } from "../access.js";
import type { RemittanceDeps } from "./deps.js";

// What goes by the tenant's time, which a sandbox can move: validity, quotes, expiry, cancelling.
const byBusinessTime: ReadonlySet<string> = new Set([
  "putRate",
  "loadRates",
  "getExchangeRate",
  "createQuote",
  "getQuote",
  "listPayoutPoints",
  "createTransaction",
  "decideTransaction",
  "releaseBlockedTransactions",
  "claimTransaction",
  "releaseTransaction",
  "cancelTransaction",
  "updateTransactionStatus",
]);

type AnyHandler = (request: never, call: Call) => Promise<unknown>;
type HandlersAt = (deps: RemittanceDeps) => Handlers<RemittanceServiceDefinition>;

/**
 * Serves by the tenant's time what goes by it, the rest by real time. Refuses a caller without a
 * person where none but the operator comes without one.
 */
export function byTenantTime(deps: Omit<RemittanceDeps, "realClock">, handlersAt: HandlersAt): ReturnType<HandlersAt> {
  const at = (clock: Clock) => handlersAt({ ...deps, clock, realClock: deps.clock });
  const byRealTime = at(deps.clock);
  const served = (rpc: keyof typeof byRealTime): AnyHandler => {
    return async (request, call) => {
      if (isOpenToOperators(rpc) && call.caller !== "operator") requireUser(call);
      if (!byBusinessTime.has(rpc)) return (byRealTime[rpc] as unknown as AnyHandler)(request, call);
      const { now } = await deps.times.forTenant(call.tenantId, call.interactionId);
      return (at({ now })[rpc] as unknown as AnyHandler)(request, call);
    };
  };
  const rpcs = Object.keys(byRealTime) as (keyof typeof byRealTime)[];
  return Object.fromEntries(rpcs.map((rpc) => [rpc, served(rpc)])) as unknown as typeof byRealTime;
}
