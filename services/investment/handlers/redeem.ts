import { v7 as uuidv7 } from "uuid";
import {
  RedeemHoldingRequest,
  RedeemHoldingResponse,
  type InvestmentServiceDefinition,
} from "../../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, keepingRefusals, originOf, runSaga } from "../../kernel/sagas/index.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { checkRedeemable, type Holding } from "../domain/holding.js";
import { planRedemption, type Settlement } from "../domain/settlement.js";
import { redeemOperation } from "../sagas/settlement.js";
import type { Session } from "../store/index.js";
import { unitsFromWire, uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";

/**
 * Pays units of one's own holding back into the wallet they were bought from. Refuses NOT_FOUND,
 * FORBIDDEN, HOLDING_CLOSED, HOLDING_LOCKED, UNITS_OUT_OF_LIMITS, STATE_CONFLICT while something of
 * it is being paid, ACCOUNT_CLOSED, ACCOUNT_FROZEN.
 */
export function redeemHandlers(deps: InvestmentDeps) {
  const { idempotency, sagas, settlements, businessClock } = deps;
  return {
    async redeemHolding(request, call) {
      requireUser(call);
      const holdingId = uuidFromWire(request.holdingId, "holdingId");
      const requested = request.units === undefined ? undefined : unitsFromWire(request.units, "units");
      const { tenantId } = call;
      return runSaga({
        idempotency,
        sagas,
        operation: redeemOperation,
        request,
        requestType: RedeemHoldingRequest,
        response: RedeemHoldingResponse,
        call,
        start: (ticket) =>
          keepingRefusals(async () => {
            const time = await businessClock.forTenant(tenantId, call.interactionId);
            await check(deps, holdingId, requested, time.today(), call);
            const made = {
              settlementId: uuidv7(),
              createdAt: time.now(),
              ...originOf(call, ticket.scope.caller, ticket.scope.key),
            };
            const settlement = await settlements.begin(tenantId, {
              ticket,
              settlementId: made.settlementId,
              origin: made,
              plan: (session) => plan(deps, tenantId, { holdingId, requested, today: time.today(), made }, session),
            });
            return { drive: () => settlements.drive(tenantId, settlement, deadlineOf(call)) };
          }),
        resume: (settlementId) => settlements.driveById(tenantId, settlementId, deadlineOf(call)),
      });
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

/** Everything that can be said before anything begins. */
async function check(
  { store, people, wallet }: InvestmentDeps,
  holdingId: string,
  requested: bigint | undefined,
  today: Temporal.PlainDate,
  call: Call,
): Promise<void> {
  const holding = await store.forTenant(call.tenantId).findHolding(holdingId);
  if (holding === undefined) throw new Refusal("NOT_FOUND", "no such holding");
  people.assertOwn(holding.customerId, call);
  checkRedeemable(holding, requested ?? holding.units, today);
  const { account } = await wallet.getWalletAccount({ accountId: holding.walletAccountId }, outgoing(call));
  if (account?.status === "CLOSED") throw new Refusal("ACCOUNT_CLOSED", "the wallet account is closed");
  if (account?.status === "FROZEN") throw new Refusal("ACCOUNT_FROZEN", "the wallet account is frozen");
}

/** Decides inside the first transaction, and sets the holding aside. */
async function plan(
  { store, versions }: InvestmentDeps,
  tenantId: string,
  wish: {
    holdingId: string;
    requested: bigint | undefined;
    today: Temporal.PlainDate;
    made: SagaOrigin & { settlementId: string; createdAt: Date };
  },
  session: Session,
): Promise<Settlement> {
  const tenant = store.forTenant(tenantId);
  const { holdingId, requested, today, made } = wish;
  const holding = (await tenant.findHolding(holdingId, session)) as Holding;
  const units = requested ?? holding.units;
  checkRedeemable(holding, units, today);
  const product = await versions.of(tenantId, holding.productId, holding.productVersion);
  const { customerId, productId, walletAccountId, currency } = holding;
  if (!(await tenant.lockHolding(holding, made.settlementId, session))) {
    throw new Error("a holding changed inside this transaction's snapshot");
  }
  return {
    ...made,
    holdingId,
    customerId,
    productId,
    walletAccountId,
    currency,
    ...planRedemption(holding, product, units, today),
  };
}
