import type {
  BlockTransactionsResponse,
  ReleasedTransaction,
  RemittanceServiceDefinition,
} from "../../../../proto/gen/remittance/v1/remittance.js";
import type { CustomerWalletStanding, WalletServiceDefinition } from "../../../../proto/gen/wallet/v1/wallet.js";
import type { IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import {
  effectFromWire,
  effectToWire,
  maxEffects,
  type ApprovalEffect,
} from "../../../platform/approvals/approval-effects.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../../kernel/grpc/client.js";
import type { NewRow, Outbox, OutboxRow, RelayContext, RowHandler } from "../../../kernel/outbox/index.js";
import type { Checks } from "../checks/index.js";
import { setUp } from "../../common/clients/set-up.js";
import { releasedText, blockedText, walletsText } from "../../screening/domain/block-texts.js";
import { Refusal } from "../../../kernel/refusal.js";
import { joinOf } from "../checks/hit-consequences.js";
import {
  blockRow,
  reconsiderRow,
  releaseSeq,
  type BlockPayload,
  type FreezePayload,
  type ReleasePayload,
} from "../store/block-rows.js";
import type { ComplianceStore } from "../store/index.js";
import { caseJoinRow, rowKinds } from "../../common/store/outbox-rows.js";
import type { ScreeningStore } from "../../screening/store/screenings.js";

export interface BlockJobDeps {
  store: ComplianceStore;
  screenings: ScreeningStore;
  outbox: Outbox;
  times: BusinessClock;
  clock: Clock;
  settle: Checks["settle"];
  identity: Pick<Client<IdentityServiceDefinition>, "noteApprovalEffects">;
  /** Rows for them wait where they are not set up. */
  remittance: Pick<Client<RemittanceServiceDefinition>, "blockTransactions" | "releaseBlockedTransactions"> | undefined;
  wallet: Pick<Client<WalletServiceDefinition>, "setCustomerWalletsFrozen"> | undefined;
}

const longestPauseMs = 300_000;

/**
 * Has remittance look at once at payouts that it holds for hits of the customer or of whom they
 * send to. It looks by itself within minutes: where it is away nothing waits for it.
 */
export async function resumeHeldPayouts(
  remittance: Pick<Client<RemittanceServiceDefinition>, "resumeHeldPayouts"> | undefined,
  { payload, ...row }: OutboxRow,
  { signal, log }: RelayContext,
): Promise<void> {
  const customerId = String(payload["customerId"]);
  try {
    await remittance?.resumeHeldPayouts({ customerId }, outgoing({ ...row, signal }));
  } catch (err) {
    signal.throwIfAborted();
    log.info({ err }, "remittance was not told that payouts may go on, and will look by itself");
  }
}

/**
 * Has remittance and wallet stop what a confirmed hit concerns, and let it go
 * again; the case hears what that did.
 */
export function blockJobs(deps: BlockJobDeps): Record<string, RowHandler> {
  const { identity, remittance, wallet, screenings } = deps;
  const note = blockNotes(deps);

  /** Identity lists what of it was not approved: what had joined by then. */
  async function tellIdentity(
    row: OutboxRow,
    { approvalId }: FreezePayload,
    effects: readonly ApprovalEffect[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let from = 0; from < effects.length; from += maxEffects) {
      const part = effects.slice(from, from + maxEffects).map(effectToWire);
      await identity.noteApprovalEffects({ approvalId, effects: part }, outgoing({ ...row, signal }));
    }
  }

  const setFrozen =
    (frozen: boolean): RowHandler =>
    async (row, context) => {
      const client = setUp(wallet, "WALLET");
      const payload = row.payload as unknown as FreezePayload;
      const { blockId, customerId } = payload;
      const requested = { blockId, customerId, frozen };
      const { wallets, effects } = await client.setCustomerWalletsFrozen(
        requested,
        outgoing({ ...row, signal: context.signal }),
      );
      crashPoint("compliance.wallets.told");
      await tellIdentity(row, payload, effects.map(effectFromWire), context.signal);
      await note.wallets(row, payload, { wallets, frozen }, context);
    };

  return {
    async [rowKinds.blockTransactions](row, context) {
      const client = setUp(remittance, "REMITTANCE");
      const payload = row.payload as unknown as BlockPayload;
      const { blockId, customerId, recipientCode, transactionIds } = payload;
      const screening = await screenings.forTenant(row.tenantId).find(payload.screeningId);
      const hit = screening?.hits.find(({ hitId }) => hitId === payload.hitId);
      // Released meanwhile: what is laid from now on nothing would take away again
      // but the release behind this row.
      if (hit?.state !== "CONFIRMED") return;
      const requested = { blockId, customerId, recipientCode, transactionIds };
      const answer = await client.blockTransactions(requested, outgoing({ ...row, signal: context.signal }));
      crashPoint("compliance.block.told");
      const known = payload.stopped.map((id) => `transaction:${id}`);
      const fresh = answer.effects.map(effectFromWire).filter(({ subject }) => !known.includes(subject));
      await tellIdentity(row, payload, fresh, context.signal);
      await note.stopped(row, payload, answer, context);
    },

    async [rowKinds.releaseTransactions](row, context) {
      const client = setUp(remittance, "REMITTANCE");
      const payload = row.payload as unknown as ReleasePayload;
      const { blockId, outcome } = payload;
      const requested = { blockId, outcome };
      const { transactions, effects } = await client.releaseBlockedTransactions(
        requested,
        outgoing({ ...row, signal: context.signal }),
      );
      crashPoint("compliance.release.told");
      await tellIdentity(row, payload, effects.map(effectFromWire), context.signal);
      await note.released(row, payload, transactions, context);
    },

    [rowKinds.freezeWallets]: setFrozen(true),
    [rowKinds.unfreezeWallets]: setFrozen(false),
  };
}

/** What neighbours answer, for the case; each in one commit with the end of its row. */
function blockNotes({ store, screenings, outbox, times, clock, settle }: BlockJobDeps) {
  /** Refuses nothing: of a screening that is gone nobody hears. */
  async function write(
    row: OutboxRow,
    note: { screeningId: string; place: string; seq: number; text: string; transactionIds?: readonly string[] },
    { complete }: RelayContext,
    others: readonly NewRow[] = [],
  ): Promise<void> {
    const { tenantId, interactionId, actor } = row;
    const { screeningId, place, seq, text, transactionIds = [] } = note;
    if (text === "" && others.length === 0) return;
    const at = (await times.forTenant(tenantId, interactionId)).now();
    await store.transaction(
      async (session) => {
        const screening = await screenings.forTenant(tenantId).find(screeningId, session);
        const comment = { event: "BLOCK", text, transactionIds, actor: "compliance", at } as const;
        const join = screening && text !== "" ? joinOf(screening, comment) : undefined;
        const rows = join === undefined ? [] : [caseJoinRow({ tenantId, interactionId, actor }, place, seq, join)];
        await outbox.addAll([...rows, ...others], session);
        await complete(session);
        return true;
      },
      async () => undefined,
    );
    outbox.wake();
  }

  return {
    /**
     * What was stopped, and what was paid out before the block came, each once. Asks again
     * later while payouts are on their way: another round, and not another try, since a recall
     * may take days and is no failure.
     */
    async stopped(row: OutboxRow, payload: BlockPayload, answer: BlockTransactionsResponse, context: RelayContext) {
      const { seq } = row;
      const { tooLate, underWay, transactionIds } = answer;
      const { screeningId, blockId } = payload;
      const late = tooLate.filter((id) => !payload.tooLate.includes(id));
      const stopped = transactionIds.filter((id) => !payload.stopped.includes(id));
      const again: NewRow[] = [];
      if (underWay > 0) {
        const known = {
          ...payload,
          tooLate: [...payload.tooLate, ...late],
          stopped: [...payload.stopped, ...stopped],
        };
        const dueAt = new Date(clock.now().getTime() + Math.min(longestPauseMs, 5_000 * 2 ** Math.min(seq, 10)));
        again.push(blockRow(row, known, seq + 1, dueAt));
      }
      const place = { screeningId, place: `block:${blockId}`, seq, transactionIds: stopped.slice(0, maxJoined) };
      await write(row, { ...place, text: blockedText(stopped, late) }, context, again);
    },

    /**
     * What the end of a block did to them; what waits of the customer is decided anew behind it.
     */
    async released(
      row: OutboxRow,
      payload: ReleasePayload,
      transactions: readonly ReleasedTransaction[],
      context: RelayContext,
    ) {
      const { screeningId, blockId, customerId, outcome, reconsiders } = payload;
      // What is given up waits for nobody: remittance tells of it too, but
      // perhaps after it was decided anew.
      for (const { transactionId, status } of transactions)
        if (status === "CANCELLED") await settle(row.tenantId, transactionId, "RELEASED").catch(unlessUnknown);
      const again = reconsiders ? [reconsiderRow(row, { screeningId: blockId, version: 1 }, customerId)] : [];
      const place = { screeningId, place: `block:${blockId}`, seq: releaseSeq };
      await write(row, { ...place, text: releasedText(outcome, transactions) }, context, again);
    },

    async wallets(
      row: OutboxRow,
      { screeningId, blockId, customerId }: FreezePayload,
      answer: { wallets: readonly CustomerWalletStanding[]; frozen: boolean },
      context: RelayContext,
    ) {
      const place = { screeningId, place: `block-wallets:${blockId}`, seq: row.seq };
      await write(row, { ...place, text: walletsText(customerId, answer) }, context);
    },
  };
}

/** A case has no more transactions of one block. */
const maxJoined = 200;

function unlessUnknown(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== "TRANSACTION_NOT_FOUND") throw error;
}
