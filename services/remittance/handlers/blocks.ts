import type {
  BlockTransactionsRequest,
  RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { idFromWire, trimmedFromWire } from "../../shared/wire-text.js";
import { block, isBlockedBy, isBlockUnsettled, releaseBlock, type ReleaseOutcome } from "../domain/block.js";
import type { Step } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { Creation } from "../sagas/creation.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { BlockSelection } from "../store/blocked-transactions.js";
import type { RemittanceDeps } from "./deps.js";

type BlockRpcs = "blockTransactions" | "releaseBlockedTransactions";

const maxNamed = 1_000;
const outcomes: readonly ReleaseOutcome[] = ["CONTINUE", "REFUND"];

/** What compliance asks where a hit was confirmed, and where that is taken back. */
export function blockHandlers({
  store,
  clock,
  realClock,
  creation,
  steps,
}: Pick<RemittanceDeps, "store" | "clock" | "realClock"> & {
  creation: Pick<Creation, "payableForMs">;
  steps: PayoutSteps;
}): Pick<Handlers<RemittanceServiceDefinition>, BlockRpcs> {
  /** A step of each, one commit after the other: whoever repeats it finds the others done. */
  async function each(ids: readonly string[], call: Call, decide: (now: Transaction) => Step | undefined) {
    const by = { actor: actorOf(call), interactionId: call.interactionId };
    for (const transactionId of ids) {
      call.signal.throwIfAborted();
      await steps.make(call.tenantId, transactionId, decide, by);
      crashPoint("remittance.block.written");
    }
  }

  return {
    async blockTransactions(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const tenant = store.forTenant(call.tenantId);
      await each(await tenant.idsToBlock(selectionFromWire(request)), call, (now) =>
        block(now, blockId, realClock.now()),
      );
      // Its first decision is being stored: whoever asks again finds it.
      if (await tenant.isBeingCreated(selectionFromWire(request))) {
        throw new Refusal("UNAVAILABLE", "a transaction is still being created");
      }
      const reached = (await tenant.listBlocked(blockId)).filter((one) => isBlockedBy(one, blockId));
      const held = reached.filter(({ status }) => status === "BLOCKED" || status === "PAYING");
      const late = reached.filter((one) => !held.includes(one) && one.payout?.settledAt !== undefined);
      return {
        blocked: held.length,
        underWay: held.filter(isBlockUnsettled).length,
        tooLate: late.map(({ transactionId }) => transactionId),
      };
    },

    async releaseBlockedTransactions(request, call) {
      const blockId = trimmedFromWire(request.blockId, "blockId", 128);
      const outcome = outcomes.find((one) => one === request.outcome);
      if (outcome === undefined) throw invalidInput("outcome", `must be one of ${outcomes.join(", ")}`);
      const tenant = store.forTenant(call.tenantId);
      const blocked = await tenant.listBlocked(blockId);
      const waitsMs = creation.payableForMs;
      await each(
        blocked.map(({ transactionId }) => transactionId),
        call,
        (now) => releaseBlock(now, blockId, outcome, { now: clock.now(), dueAt: realClock.now(), waitsMs }),
      );
      return { released: blocked.filter(({ timeline }) => timeline.some(({ status }) => status === "BLOCKED")).length };
    },
  };
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
