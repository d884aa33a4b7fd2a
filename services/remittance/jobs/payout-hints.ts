import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import type { Outbox, RowHandler } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { hint, recordAgainstRefusal, type Hinted } from "../domain/accepted-payout-polling.js";
import { hintsOf } from "../domain/bank-reports.js";
import { payoutOf } from "../domain/payout.js";
import { hintAggregate } from "../sagas/outbox-rows.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceStore } from "../store/index.js";
import { tellOfUnclear } from "./partner-alerts.js";
import { rowKinds } from "../row-kinds.js";

/** What a partner's statement or a bank's file says of a payout, so that it is asked about. */
export interface PayoutHint {
  transactionId: string;
  status: Hinted;
  /** Of the tenant's own partner that said so; the operator's default where absent. */
  installationId?: string | undefined;
  /** What it says against its own refusal; absent where it refused nothing, or keeps to it. */
  against?: string;
}

export interface PayoutHintsDeps {
  store: RemittanceStore;
  steps: PayoutSteps;
  outbox: Outbox;
  clock: Clock;
}

// Those behind are hinted at by the next turn.
const filesAtOnce = 100;
const by = { actor: "payout partner" };

/** Carries out what a partner says of a payout. Twice changes nothing. */
function carryingOut({ store, steps, clock }: PayoutHintsDeps, log: Logger) {
  const onUnclear = tellOfUnclear(log);

  return async (tenantId: string, { transactionId, status, installationId, against }: PayoutHint): Promise<void> => {
    const transaction = await store.forTenant(tenantId).findTransaction(transactionId);
    // A partner speaks of what it was handed alone.
    if (transaction === undefined || payoutOf(transaction).installationId !== installationId) return;
    if (against !== undefined) {
      const decide = (now: typeof transaction) => recordAgainstRefusal(now, against, clock.now());
      const noted = await steps.make(tenantId, transactionId, decide, by);
      if (noted !== undefined) onUnclear(tenantId, noted);
    }
    if (hint(transaction, status, clock.now()) === undefined) return;
    await steps.make(tenantId, transactionId, (now) => hint(now, status, clock.now()), by);
  };
}

/**
 * Carries hints out where they are read. One that cannot be is a row of the outbox from then on,
 * so that those behind it are read; what passes by itself is thrown, and read again. `at` tells
 * two words of one payout apart.
 */
export function createPayoutHints(deps: PayoutHintsDeps & { log: Logger }) {
  const { store, outbox, log } = deps;
  const carryOut = carryingOut(deps, log);

  /** False where that word is kept already. */
  async function keep(tenantId: string, hint: PayoutHint, at: Date): Promise<boolean> {
    const { transactionId, installationId, ...rest } = hint;
    const payload = { transactionId, ...rest, ...(installationId !== undefined && { installationId }) };
    const place = { tenantId, aggregate: hintAggregate(transactionId), seq: at.getTime(), kind: rowKinds.hintPayout };
    const row = { ...place, payload, interactionId: `hint:${transactionId}`, ...by };
    try {
      await store.transaction(
        (session) => outbox.add(row, session),
        async () => undefined,
      );
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return async (tenantId: string, hint: PayoutHint, at: Date): Promise<void> => {
    try {
      await carryOut(tenantId, hint);
    } catch (error) {
      if (passesByItself(error)) throw error;
      const { transactionId } = hint;
      if (await keep(tenantId, hint, at)) leaveRow(log, "payout statements", { tenantId, transactionId }, error);
    }
  };
}

/** Has payouts driven on that a bank's files speak of: a file is done with once all of its are. */
export function createFileHints(options: PayoutHintsDeps & { log: Logger }, signal?: AbortSignal) {
  const { store } = options;
  const hintAt = createPayoutHints(options);

  return async (tenantId: string, installationId: string): Promise<void> => {
    const { bankFiles } = store.forTenant(tenantId);
    for (const { fileId, at } of await bankFiles.listToHint(installationId, filesAtOnce)) {
      for (const hint of hintsOf(await bankFiles.listReportsOf(installationId, fileId))) {
        if (signal?.aborted) return;
        await hintAt(tenantId, { ...hint, installationId }, at);
      }
      crashPoint("remittance.bank-file.hinted");
      await bankFiles.setHinted(installationId, fileId);
    }
  };
}

/** Hints that could not be carried out where they were read. */
export function payoutHintRows(deps: PayoutHintsDeps): Record<string, RowHandler> {
  const carryOut = carryingOut(deps, deps.outbox.log);
  return { [rowKinds.hintPayout]: ({ tenantId, payload }) => carryOut(tenantId, payload as unknown as PayoutHint) };
}
