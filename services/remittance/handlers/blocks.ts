import type {
  BlockTransactionsRequest,
  RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { effectToWire, type ApprovalEffect, type EffectKind } from "../../platform/approvals/approval-effects.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { idFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import {
  block,
  isBlockedBy,
  isBlockUnsettled,
  isBlockedIn,
  releaseBlock,
  releasedTo,
  type ReleaseOutcome,
} from "../domain/block.js";
import { resumeWaiting } from "../domain/hold.js";
import { changed, type Transaction } from "../domain/transaction.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { BlockSelection } from "../store/blocked-transactions.js";
import type { Creation } from "../sagas/creation.js";
import type { RemittanceDeps } from "./deps.js";

type Decide = Parameters<PayoutSteps["make"]>[2];

const maxNamed = 1_000;
const outcomes: readonly ReleaseOutcome[] = ["CONTINUE", "REFUND"];

type BlockDeps = Pick<RemittanceDeps, "store" | "clock" | "realClock" | "steps"> & {
  creation: Pick<Creation, "payableForMs">;
};

/**
 * What compliance asks where a hit was confirmed, where that is taken back,
 * and where none stands any more.
 */
export function blockHandlers({ store, clock, realClock, creation, steps }: BlockDeps) {
  /**
   * A step of each, one commit after the other: whoever repeats it finds the
   * others done. How many were made.
   */
  async function each(ids: readonly string[], call: Call, decide: Decide): Promise<number> {
    const by = { actor: actorOf(call), interactionId: call.interactionId };
    let made = 0;
    for (const transactionId of ids) {
      call.signal.throwIfAborted();
      if ((await steps.make(call.tenantId, transactionId, decide, by)) !== undefined) made += 1;
      crashPoint("remittance.block.written");
    }
    return made;
  }

  return {
    async blockTransactions(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const selection = selectionFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      await tenant.orderBlock(blockId, realClock.now());
      crashPoint("remittance.block.ordered");
      await each(await tenant.idsToBlock(selection, blockId), call, async (now, session) => {
        const step = block(now, blockId, realClock.now());
        return step !== undefined && (await tenant.mayLay(blockId, session)) ? step : undefined;
      });
      // Its first decision is being stored: whoever asks again finds it.
      if (await tenant.isBeingCreated(selection)) {
        throw new Refusal("UNAVAILABLE", "a transaction is still being created");
      }
      const reached = (await tenant.listBlocked(blockId)).filter((one) => isBlockedBy(one, blockId));
      const held = reached.filter(({ status }) => isBlockedIn(status));
      const late = reached.filter((one) => !held.includes(one) && one.payout?.settledAt !== undefined);
      return {
        blocked: held.length,
        underWay: held.filter(isBlockUnsettled).length,
        tooLate: late.map(({ transactionId }) => transactionId),
        transactionIds: held.map(({ transactionId }) => transactionId),
        effects: held.map((one) => effectToWire(blockEffect("TRANSACTION_BLOCKED", one))),
      };
    },

    async foreseeBlock(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const tenant = store.forTenant(call.tenantId);
      const found = await tenant.findToBlock(selectionFromWire(request), blockId);
      const stopped = found.filter((one) => {
        const step = block(one, blockId, realClock.now());
        return step !== undefined && isBlockedIn(step.change.status ?? one.status);
      });
      return { effects: stopped.map((one) => effectToWire(blockEffect("TRANSACTION_BLOCKED", one))) };
    },

    async foreseeBlockRelease(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const outcome = outcomeFromWire(request.outcome);
      const actor = actorOf(call);
      const at = { now: clock.now(), dueAt: realClock.now(), waitsMs: creation.payableForMs };
      const found = await store.forTenant(call.tenantId).findUnderBlock(blockId);
      const effects = found.flatMap((one) => {
        const step = releaseBlock(one, blockId, outcome, at);
        return step === undefined ? [] : releaseEffects(changed(one, step.change, { at: at.now, actor }), blockId);
      });
      return { effects: effects.map(effectToWire) };
    },

    async releaseBlockedTransactions(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const outcome = outcomeFromWire(request.outcome);
      const tenant = store.forTenant(call.tenantId);
      // Noted first: from now on it is laid on nothing more.
      const release = await tenant.orderRelease(blockId, { at: realClock.now(), outcome });
      if (release.outcome !== outcome) {
        throw new Refusal("STATE_CONFLICT", `the block was released before with ${release.outcome}`);
      }
      crashPoint("remittance.block.release-ordered");
      const blocked = await tenant.listBlocked(blockId);
      const waitsMs = creation.payableForMs;
      await each(
        blocked.map(({ transactionId }) => transactionId),
        call,
        (now) => releaseBlock(now, blockId, outcome, { now: clock.now(), dueAt: realClock.now(), waitsMs }),
      );
      const stopped = (await tenant.listBlocked(blockId)).filter(({ timeline }) =>
        timeline.some(({ status }) => status === "BLOCKED"),
      );
      const transactions = stopped.map(({ transactionId, status }) => ({ transactionId, status }));
      const effects = stopped.flatMap((one) => releaseEffects(one, blockId)).map(effectToWire);
      return { released: stopped.length, transactions, effects };
    },

    async resumeHeldPayouts(request, call) {
      const customerId = idFromWire(request.customerId, "customerId");
      const waiting = await store.forTenant(call.tenantId).waitingPayoutsOf(customerId);
      return { resumed: await each(waiting, call, (now) => resumeWaiting(now, realClock.now())) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}

/** Refuses INVALID_INPUT. */
function outcomeFromWire(text: string): ReleaseOutcome {
  const outcome = outcomes.find((one) => one === text);
  if (outcome === undefined) throw invalidInput("outcome", `must be one of ${outcomes.join(", ")}`);
  return outcome;
}

/** As they are foreseen, and told however late; none of what another block still held. */
function releaseEffects(
  one: Pick<Transaction, "transactionId" | "price" | "timeline">,
  blockId: string,
): ApprovalEffect[] {
  const to = releasedTo(one, blockId);
  if (to === undefined) return [];
  return [blockEffect(to === "BACK" ? "TRANSACTION_SENT_BACK" : "TRANSACTION_RELEASED", one)];
}

/** With what was paid, or is to be. */
function blockEffect(kind: EffectKind, { transactionId, price }: Pick<Transaction, "transactionId" | "price">) {
  return { kind, subject: `transaction:${transactionId}`, amount: price.total };
}

/** Refuses INVALID_INPUT. */
function selectionFromWire({ customerId, transactionIds, recipientCode }: BlockTransactionsRequest): BlockSelection {
  if (transactionIds.length > maxNamed) throw invalidInput("transactionIds", `must have at most ${maxNamed}`);
  const named = transactionIds.map((id, index) => idFromWire(id, `transactionIds[${index}]`));
  if (customerId === "") {
    if (recipientCode !== "") throw invalidInput("customerId", "is required with a recipient");
    if (named.length === 0) throw invalidInput("customerId", "or transactionIds is required");
    return { transactionIds: named };
  }
  const recipient = trimmedFromWire(recipientCode, "recipientCode", 128, true);
  return {
    transactionIds: named,
    customerId: idFromWire(customerId, "customerId"),
    ...(recipient !== "" && { recipientCode: recipient }),
  };
}
