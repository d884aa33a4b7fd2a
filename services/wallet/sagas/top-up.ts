import type { CardConnector } from "../../platform/banks/bank-connector.js";
import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import { storedRefusal, Refusal } from "../../kernel/refusal.js";
import { identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import type { Posted, Posting } from "../clients/posting.js";
import { accountsOfTopUp, transferOfTopUp, type Aside, type TopUp, type TopUpEnding } from "../domain/top-up.js";
import type { WalletStore } from "../store/index.js";
import { topUpAnswer } from "../wire/top-ups.js";
import { rowKinds } from "../row-kinds.js";

export const topUpOperation = "wallet.v1.TopUpByCard";

/**
 * The acquirer has not decided yet. Its code is UNAVAILABLE, so that the recovery row is tried for
 * as long as it takes.
 */
export class ChargePending extends Refusal {
  constructor() {
    super("UNAVAILABLE", "the card has not been charged yet");
  }
}

export interface TopUpSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  card: Pick<CardConnector, "charge">;
  crashPoint: (name: string) => void;
}

export type TopUpSaga = ReturnType<typeof createTopUpSaga>;

/**
 * Money from a card into a wallet: stored, charged by our reference, posted. Only an answer REFUSED
 * fails it; a charge that no wallet can get is set aside by a second group, which is why this is no
 * movement.
 */
export function createTopUpSaga({ store, sagas, posting, card, crashPoint }: TopUpSagaDeps) {
  async function begin(tenantId: string, topUp: TopUp, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    await sagas.begin(sagaOf(tenantId, topUp), {
      ticket,
      id: topUp.topUpId,
      insert: (session) => wallet.insertTopUp(topUp, session).then(() => true),
      readBack: async () => (await wallet.findTopUp(topUp.topUpId)) && true,
    });
    crashPoint("wallet.top-up.recorded");
  }

  /**
   * Idempotent and safe beside itself. Throws ChargePending, and UNAVAILABLE while the outcome is
   * unknown.
   */
  async function drive(tenantId: string, topUp: TopUp, context: DriveContext): Promise<StoredAnswer> {
    const answer = topUpAnswer(topUp);
    if (answer !== undefined) return answer;
    const { topUpId, cardToken, amount, partner: at } = topUp;
    const charge = await card.charge(topUpId, cardToken, amount, { tenantId, at });
    crashPoint("wallet.top-up.charged");
    if (charge.status === "PENDING") throw new ChargePending();
    if (charge.status === "REFUSED") {
      const refusal = new Refusal("CARD_REFUSED", charge.reason === "" ? "the card was refused" : charge.reason);
      return end(tenantId, topUp, { status: "FAILED", refusal: storedRefusal(refusal) }, context);
    }
    const posted = await post(tenantId, topUp, context);
    crashPoint("wallet.top-up.posted");
    if (!(posted instanceof Refusal)) {
      return end(tenantId, topUp, { status: "DONE", newBalanceMinor: posted.creditBalanceMinor }, context);
    }
    // The card is charged and the wallet was closed meanwhile: staff finds the money in suspense.
    for (const aside of ["suspense", "apart:suspense"] as const) {
      if ((await post(tenantId, topUp, context, aside)) instanceof Refusal) continue;
      return end(tenantId, topUp, { status: "FAILED", refusal: storedRefusal(posted) }, context);
    }
    throw new Error(`top-up ${topUpId} has nowhere to go: ${posted.code}`);
  }

  async function post(tenantId: string, topUp: TopUp, context: DriveContext, aside?: Aside): Promise<Posted | Refusal> {
    const accounts = accountsOfTopUp(topUp, aside);
    await posting.ensureAccounts(tenantId, topUp, [accounts.card, accounts.suspense], context);
    return posting.post(tenantId, topUp, [transferOfTopUp(topUp, aside)], context);
  }

  async function driveById(tenantId: string, topUpId: string, context: DriveContext): Promise<StoredAnswer> {
    const topUp = await store.forTenant(tenantId).findTopUp(topUpId);
    if (topUp === undefined) throw new Error(`top-up ${topUpId} is not there`);
    return drive(tenantId, topUp, context);
  }

  async function end(
    tenantId: string,
    topUp: TopUp,
    ending: TopUpEnding,
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const wallet = store.forTenant(tenantId);
    const answer = await sagas.end(
      sagaOf(tenantId, topUp),
      {
        answer: topUpAnswer({ ...topUp, ending }) as StoredAnswer,
        apply: (session) => wallet.endTopUp(topUp.topUpId, ending, session),
        readBack: async () => {
          const found = await wallet.findTopUp(topUp.topUpId);
          return found && topUpAnswer(found);
        },
      },
      context,
    );
    crashPoint("wallet.top-up.ended");
    return answer;
  }

  return { begin, drive, driveById };
}

function sagaOf(tenantId: string, topUp: TopUp): SagaIdentity {
  const { topUpId } = topUp;
  return identityOf(tenantId, topUp, {
    operation: topUpOperation,
    aggregate: `top-up:${topUpId}`,
    recovery: rowKinds.driveTopUp,
    payload: { topUpId },
  });
}
