import type { HandOutCashResponse } from "../../../../proto/gen/remittance/v1/remittance.js";
import { PayOutCashResponse } from "../../../../proto/gen/wallet/v1/money_in.js";
import { decisionOr } from "../../../platform/neighbours/decision.js";
import { outgoing } from "../../../kernel/grpc/client.js";
import { moneyToWire } from "../../../kernel/money.js";
import { isRefusalCode, Refusal } from "../../../kernel/refusal.js";
import { deadlineOf } from "../../../kernel/sagas/index.js";
import type { Remittance } from "../../clients/neighbours.js";
import type { Movement } from "../../domain/movement.js";
import type { WalletStore } from "../../store/index.js";
import { tillWrites } from "./cash.js";
import { assertPresent, type MovementContext, type RulesOf } from "./rules.js";

export interface HandOutDeps {
  remittance: Pick<Remittance, "handOutCash">;
  crashPoint: (name: string) => void;
}

/**
 * Cash of a till for the recipient of a remittance: reserved, claimed at remittance with the code,
 * and booked there. The code is kept nowhere, so that recovery asks without it: remittance then
 * refuses for good what it has not handed out.
 */
export function pickupRules(deps: HandOutDeps & { store: WalletStore }): RulesOf<"CASH_PICKUP"> {
  const { store, crashPoint } = deps;
  return {
    CASH_PICKUP: {
      ...tillWrites(store),
      operation: "wallet.v1.PayOutCash",
      answer: ({ subjectId: tillId = "", subjectMinor = 0n, pickup, createdAt: paidOutAt }) => {
        const { transactionId, transactionCode, currency } = assertPresent(pickup);
        const amount = moneyToWire({ minor: -subjectMinor, currency });
        // Whose it is, is asked of remittance for every answer.
        return PayOutCashResponse.encode({
          transactionId,
          transactionCode,
          amount,
          paidOutAt,
          tillId,
          recipientName: "",
        }).finish();
      },
      checkBeforePosting: (tenantId, movement, context) => handedOutBy(deps, tenantId, movement, context),
      crashPoints: pickupPoints(crashPoint),
    },
  };
}

export const pickupPoints = (crashPoint: (name: string) => void) => ({
  recorded: () => crashPoint("wallet.pickup.recorded"),
  posted: () => crashPoint("wallet.pickup.claimed"),
  ended: () => crashPoint("wallet.pickup.ended"),
});

/** Claimed at remittance with the code, or why not; decided once for the movement. */
export async function handedOutBy(
  deps: HandOutDeps,
  tenantId: string,
  movement: Movement,
  context: MovementContext,
): Promise<Refusal | undefined> {
  const { refused } = await askedToHandOut(deps, tenantId, movement, context);
  return refused && refusalOf(refused);
}

/** What remittance decides about a movement, or has decided. Throws while that is not known. */
export async function askedToHandOut(
  { remittance }: Pick<HandOutDeps, "remittance">,
  tenantId: string,
  { movementId, pickup, agentPayout, createdBy, createdAt, interactionId }: Movement,
  context: MovementContext,
): Promise<HandOutCashResponse> {
  const { transactionId } = assertPresent(pickup ?? agentPayout);
  const request = {
    idempotencyKey: movementId,
    transactionId,
    cashierId: createdBy,
    pickupCode: context.pickupCode ?? "",
    handedOutAt: createdAt,
    ofAgent: agentPayout !== undefined,
  };
  const call = outgoing({ tenantId, interactionId, ...deadlineOf(context) });
  return remittance.handOutCash(request, call).catch((error: unknown) => {
    throw decisionOr(error, new Set(), "a hand-out");
  });
}

function refusalOf({ code, message, retryAfterS, triesLeft }: NonNullable<HandOutCashResponse["refused"]>): Refusal {
  if (!isRefusalCode(code)) throw new Error(`a hand-out was refused: ${code} ${message}`);
  return new Refusal(code, message, {
    ...(retryAfterS > 0 && { retryAfterS }),
    ...(triesLeft !== undefined && { figures: { triesLeft: String(triesLeft) } }),
  });
}
