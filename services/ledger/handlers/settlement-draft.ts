import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dayOf, noonIn } from "../domain/days.js";
import type { Account } from "../domain/model.js";
import {
  assertSettles,
  isInbound,
  type Gathering,
  type Settlement,
  type SettlementTerms,
} from "../domain/settlement.js";
import { assertLinesSum, isLine, lineOf, lineTaken, type SettlementLine } from "../domain/settlement-lines.js";
import { addStep } from "../sagas/settlement-endings.js";
import type { WantedLines } from "../wire/settlements.js";
import { byId, type LedgerDeps } from "./deps.js";
import { forgetUnasked } from "./settlement-questions.js";

/** A settlement that may be proposed, with what it takes. */
export interface SettlementDraft {
  readonly terms: SettlementTerms;
  readonly valueAt: Date;
  readonly lines: readonly SettlementLine[];
  readonly gathering?: Gathering;
}

/** What is checked before a settlement is kept as proposed, and how it is kept. */
export function createSettlementDraft(
  deps: Pick<LedgerDeps, "store" | "settlements" | "businessClock" | "outbox" | "clock">,
) {
  const { store, settlements, businessClock, outbox, clock } = deps;

  /** Refuses INVALID_INPUT, LINE_TAKEN, LINES_MISMATCH. */
  async function namedLines(terms: SettlementTerms, account: Account, keys: readonly string[], { tenantId }: Call) {
    const { accountId } = account.info;
    const decisions = await store.forTenant(tenantId).findDecisions(keys);
    const transfers = new Map(decisions.map(({ key, transfer }) => [key, transfer]));
    const side = isInbound(account.info) ? "DEBIT" : "CREDIT";
    const lines = keys.map((key, index) => {
      const transfer = transfers.get(key);
      const isOf = transfer?.debitAccountId === accountId || transfer?.creditAccountId === accountId;
      if (transfer !== undefined && isOf && isLine(transfer)) return lineOf(transfer, accountId, side);
      throw invalidInput(`lines.transferIds.${index}`, `${key} is no transfer of account ${accountId} to be settled`);
    });
    const [taken] = await settlements.forTenant(tenantId).takenOf(accountId, keys);
    if (taken !== undefined) throw lineTaken(taken);
    const sumMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    assertLinesSum(terms, sumMinor);
    return lines;
  }

  return {
    /** Refuses ACCOUNT_NOT_FOUND, what `assertSettles` refuses, and what lines are refused for. */
    async check(terms: SettlementTerms, wanted: WantedLines | undefined, call: Call): Promise<SettlementDraft> {
      const tenant = store.forTenant(call.tenantId);
      const { accountId, bankAccountId } = terms;
      const [accounts, head, time] = await Promise.all([
        tenant.findAccounts([accountId, bankAccountId]),
        tenant.findHead(),
        businessClock.forTenant(call.tenantId, call.interactionId),
      ]);
      const found = byId(accounts);
      const of = (id: string): Account => {
        const account = found.get(id);
        if (account === undefined) throw new Refusal("ACCOUNT_NOT_FOUND", `no account ${id}`);
        return account;
      };
      const [account, bank] = [of(accountId), of(bankAccountId)];
      const today = dayOf(Date.parse(`${time.today().toString()}T00:00:00Z`));
      assertSettles(terms, { account, bank, today, closedThrough: head?.closedThrough });
      const valueAt = new Date(noonIn(time.timeZone, terms.valueDay));
      if (wanted === undefined) return { terms, valueAt, lines: [] };
      if ("keys" in wanted) return { terms, valueAt, lines: await namedLines(terms, account, wanted.keys, call) };
      const gathering = { throughDay: wanted.throughDay, lastSeq: head?.seq ?? 0n, takenSeq: 0n, takenMinor: 0n };
      return { terms, valueAt, lines: [], gathering };
    },

    /** Refuses SETTLEMENT_REFERENCE_TAKEN, LINE_TAKEN. */
    async keep(draft: SettlementDraft, call: Call, session: ClientSession): Promise<Settlement> {
      const { terms, valueAt, lines, gathering } = draft;
      const settlement: Settlement = {
        settlementId: uuidv7(),
        ...terms,
        valueAt,
        status: gathering === undefined ? "PROPOSED" : "PROPOSING",
        isLiving: true,
        lineCount: lines.length,
        ...(gathering !== undefined && { gathering }),
        askedBy: actorOf(call),
        askedAt: clock.now(),
      };
      const { settlementId } = settlement;
      const ofTenant = settlements.forTenant(call.tenantId);
      await ofTenant.insert(settlement, session);
      await ofTenant.takeLines(settlementId, lines, session);
      if (gathering !== undefined)
        await addStep(outbox, "gather", { settlementId, actor: actorOf(call) }, call, session);
      await forgetUnasked(outbox, { settlementId }, call, session);
      return settlement;
    },
  };
}
