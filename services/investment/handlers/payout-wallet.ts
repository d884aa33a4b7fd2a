import { v7 as uuidv7 } from "uuid";
import {
  SetPayoutWalletRequest,
  SetPayoutWalletResponse,
  type InvestmentServiceDefinition,
} from "../../../proto/gen/investment/v1/investment.js";
import { requireUser } from "../../kernel/grpc/context.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Holding } from "../domain/holding.js";
import { holdingToWire } from "../wire/holdings.js";
import { uuidFromWire } from "../wire/values.js";
import { walletOf } from "../clients/wallets.js";
import { rowKinds } from "../row-kinds.js";
import type { InvestmentDeps } from "./deps.js";

/**
 * Where a holding is paid to from now on: another wallet of the same customer. What could not be
 * paid, and shares of dividends that could not, are paid there. Refuses NOT_FOUND, FORBIDDEN,
 * ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, ACCOUNT_FROZEN, CURRENCY_MISMATCH, and STATE_CONFLICT while
 * something is being paid.
 */
export function payoutWalletHandlers(deps: InvestmentDeps) {
  const { store, runOnce, outbox, people, businessClock } = deps;
  return {
    async setPayoutWallet(request, call) {
      const { userId, role } = requireUser(call);
      const holdingId = uuidFromWire(request.holdingId, "holdingId");
      const walletAccountId = uuidFromWire(request.walletAccountId, "walletAccountId");
      const { tenantId, interactionId } = call;
      const tenant = store.forTenant(tenantId);

      async function find(): Promise<Holding> {
        const holding = await tenant.findHolding(holdingId);
        if (holding === undefined) throw new Refusal("NOT_FOUND", "no such holding");
        if (role === "CUSTOMER") people.assertOwn(holding.customerId, call);
        return holding;
      }

      const answer = await runOnce({
        operation: "investment.v1.SetPayoutWallet",
        request,
        requestType: SetPayoutWalletRequest,
        response: SetPayoutWalletResponse,
        call,
        async work(session) {
          const { customerId, currency } = await find();
          const account = await walletOf(deps, { walletAccountId, customerId }, call);
          if (account.currency !== currency) throw new Refusal("CURRENCY_MISMATCH", `the holding is in ${currency}`);
          const holding = (await tenant.findHolding(holdingId, session)) as Holding;
          const at = (await businessClock.forTenant(tenantId, interactionId)).now();
          if (!(await tenant.redirectHolding(holding, { walletAccountId, at, by: userId }, session))) {
            throw passing("STATE_CONFLICT", "a payment of this holding is under way");
          }
          const origin = { tenantId, interactionId, actor: userId, seq: 1 };
          const dividendIds = await tenant.redirectShares(holdingId, walletAccountId, session);
          for (const dividendId of dividendIds) {
            const again = {
              aggregate: `dividend-again:${uuidv7()}`,
              kind: rowKinds.payDividend,
              payload: { dividendId },
            };
            await outbox.add({ ...origin, ...again }, session);
          }
          const next = { aggregate: `redirect:${uuidv7()}`, kind: rowKinds.catchUpHolding, payload: { holdingId } };
          await outbox.add({ ...origin, ...next }, session);
          const { unpaid: _unpaid, ...rest } = holding;
          return { holding: holdingToWire({ ...rest, walletAccountId }) };
        },
      });
      outbox.wake();
      return answer;
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}
