import { v7 as uuidv7 } from "uuid";
import type { ManualJournalServiceDefinition } from "../../../proto/gen/ledger/v1/manual_journals.js";
import {
  ManualJournalKind as WireKind,
  ReverseManualJournalRequest,
  ReverseManualJournalResponse,
  WriteManualJournalRequest,
  WriteManualJournalResponse,
} from "../../../proto/gen/ledger/v1/manual_journals.js";
import type { Call } from "../../kernel/grpc/context.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import { chartRow } from "../domain/chart.js";
import { dayText, parseDay } from "../domain/days.js";
import {
  amountOf,
  checkAccounts,
  checkBalanced,
  openJournalStatuses,
  reversedLines,
  type JournalLine,
  type ManualJournal,
} from "../domain/manual-journal.js";
import { openedByPeople, soleAccount, soleAccountId } from "../domain/own-accounts.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import {
  attachmentFromWire,
  attachmentToWire,
  journalStatusesFromWire,
  linesFromWire,
  manualJournalToWire,
  pastDayFromWire,
} from "../wire/manual-journals.js";
import { byId, pageSize, type LedgerDeps } from "./deps.js";

type Deps = Pick<LedgerDeps, "store" | "manualJournals" | "runOnce" | "approvals" | "businessClock" | "clock">;

type Counted = Pick<ManualJournal, "valueDate" | "effectiveAt">;

/** Journals that people write: kept first, then asked about, posted once they are approved. */
export function manualJournalHandlers(deps: Deps) {
  const { store, manualJournals, runOnce, businessClock, clock } = deps;

  async function dayFor(given: string, call: Call): Promise<Counted> {
    const time = await businessClock.forTenant(call.tenantId, call.interactionId);
    const valueDate = pastDayFromWire(given, time.today());
    const closedThrough = (await store.forTenant(call.tenantId).findHead())?.closedThrough;
    if (closedThrough !== undefined && parseDay(valueDate)! <= closedThrough) {
      throw new Refusal(
        "PERIOD_CLOSED",
        `${valueDate} lies in a period that is closed through ${dayText(closedThrough)}`,
      );
    }
    const beginning = Temporal.PlainDate.from(valueDate).toZonedDateTime(time.timeZone);
    return { valueDate, effectiveAt: new Date(beginning.epochMilliseconds) };
  }

  /** Accounts of the books that are one per currency are made on need. */
  async function checkLines(lines: readonly JournalLine[], call: Call): Promise<void> {
    const tenant = store.forTenant(call.tenantId);
    const sole = lines.flatMap(({ accountId, amount: { currency } }) => {
      const code = accountId.slice(0, -currency.length - 1);
      return accountId === soleAccountId(code, currency) && isSole(code)
        ? [soleAccount(code, currency, clock.now())]
        : [];
    });
    if (sole.length > 0) await tenant.ensureAccounts(sole);
    checkAccounts(lines, byId(await tenant.findAccounts(lines.map(({ accountId }) => accountId))));
  }

  const draft = (
    call: Call,
    given: Pick<ManualJournal, "kind" | "lines" | "reason" | "valueDate" | "effectiveAt">,
  ): ManualJournal => ({
    ...given,
    journalId: uuidv7(),
    status: "PROPOSED",
    askedBy: actorOf(call),
    askedAt: clock.now(),
    interactionId: call.interactionId,
  });

  return {
    async writeManualJournal(request, call) {
      const lines = linesFromWire(request.lines);
      const reason = reasonFromWire(request.reason);
      const attachment = request.attachment && attachmentFromWire(request.attachment);
      const kind = request.kind === WireKind.MANUAL_JOURNAL_KIND_OPENING ? ("OPENING" as const) : ("STANDARD" as const);
      if (request.kind === WireKind.MANUAL_JOURNAL_KIND_REVERSAL)
        throw invalidInput("kind", "must be STANDARD or OPENING");
      const { journal } = await runOnce<WriteManualJournalRequest, WriteManualJournalResponse, Counted>({
        operation: "ledger.v1.WriteManualJournal",
        request,
        requestType: WriteManualJournalRequest,
        response: WriteManualJournalResponse,
        call,
        async prepare() {
          checkBalanced(lines);
          await checkLines(lines, call);
          return dayFor(request.valueDate, call);
        },
        async work(session, counted) {
          const journal = { ...draft(call, { kind, lines, reason, ...counted }), ...(attachment && { attachment }) };
          await manualJournals.forTenant(call.tenantId).insert(journal, request.attachment?.content, session);
          return { journal: manualJournalToWire(journal) };
        },
      });
      return { journal: manualJournalToWire(await asked(deps, journal!.journalId, call)) };
    },

    async reverseManualJournal(request, call) {
      const reason = reasonFromWire(request.reason);
      const tenant = manualJournals.forTenant(call.tenantId);
      const { journal } = await runOnce<ReverseManualJournalRequest, ReverseManualJournalResponse, ManualJournal>({
        operation: "ledger.v1.ReverseManualJournal",
        request,
        requestType: ReverseManualJournalRequest,
        response: ReverseManualJournalResponse,
        call,
        async prepare() {
          const found = await foundIn(deps, request.journalId, call);
          checkReversible(found);
          const lines = reversedLines(found.lines);
          const counted = await dayFor(request.valueDate, call);
          return { ...draft(call, { kind: "REVERSAL", lines, reason, ...counted }), reverses: found.journalId };
        },
        async work(session, reversal) {
          if (!(await tenant.claim(request.journalId, reversal.journalId, session))) {
            throw new Refusal("ALREADY_REVERSED", "another journal takes it back");
          }
          await tenant.insert(reversal, undefined, session);
          return { journal: manualJournalToWire(reversal) };
        },
      });
      return { journal: manualJournalToWire(await asked(deps, journal!.journalId, call)) };
    },

    async getManualJournal({ journalId }, call) {
      return { journal: manualJournalToWire(await foundIn(deps, journalId, call)) };
    },

    async listManualJournals({ status, open, pageSize: requested, cursor }, call) {
      const statuses = open ? openJournalStatuses : journalStatusesFromWire(status);
      const scope = ["manual-journals", call.tenantId, statuses];
      const limit = pageSize(requested, "page_size", 20, 100);
      const after = { statuses, beforeId: positionOf(scope, cursor) };
      const found = await manualJournals.forTenant(call.tenantId).list(after, limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, page.at(-1)!.journalId) : "";
      return { journals: page.map(manualJournalToWire), nextCursor };
    },

    async getManualJournalAttachment({ journalId }, call) {
      const { attachment } = await foundIn(deps, journalId, call);
      const content = await manualJournals.forTenant(call.tenantId).attachmentOf(journalId);
      if (attachment === undefined || content === undefined) throw new Refusal("NOT_FOUND", "it has no attachment");
      return { attachment: attachmentToWire(attachment), content };
    },
  } satisfies Partial<Handlers<ManualJournalServiceDefinition>>;
}

/** Accounts of the books that every tenant has one of in a currency, and positions. */
function isSole(code: string): boolean {
  const row = chartRow(code);
  return row !== undefined && (row.isPosition === true || (row.service === "ledger" && !openedByPeople.includes(code)));
}

/** Refuses STATE_CONFLICT, ALREADY_REVERSED. */
function checkReversible({ status, kind, reversedBy, journalId }: ManualJournal): void {
  if (reversedBy !== undefined) {
    throw new Refusal("ALREADY_REVERSED", `journal ${journalId} is taken back by ${reversedBy}`);
  }
  if (status !== "POSTED") throw new Refusal("STATE_CONFLICT", `journal ${journalId} is ${status}, not POSTED`);
  if (kind === "REVERSAL") throw new Refusal("STATE_CONFLICT", `journal ${journalId} is a reversal itself`);
}

async function foundIn({ manualJournals }: Pick<Deps, "manualJournals">, journalId: string, call: Call) {
  const found = await manualJournals.forTenant(call.tenantId).find(journalId);
  if (found === undefined) throw new Refusal("NOT_FOUND", `no journal ${journalId}`);
  return found;
}

/** Asks about one that is kept; identity knows the key, so a repeat asks for nothing new. */
async function asked(deps: Deps, journalId: string, call: Call): Promise<ManualJournal> {
  const tenant = deps.manualJournals.forTenant(call.tenantId);
  const journal = await foundIn(deps, journalId, call);
  const { status, approvalId, failure, kind, lines, reason, valueDate } = journal;
  if (status === "REFUSED" && approvalId === undefined) throw stillRefused(failure ?? "");
  if (approvalId !== undefined) return journal;
  const amount = amountOf(lines);
  const text = `${formatMoney(amount)} ${amount.currency}`;
  await deps.approvals.askAndNote(
    call,
    {
      idempotencyKey: `manual-journal:${journalId}`,
      kind: "JOURNAL",
      subject: `journal:${journalId}`,
      summary: `${words[kind]} of ${text} in ${lines.length} lines, for ${valueDate}`,
      amount,
      reason,
      payload: { journalId },
    },
    (noted) =>
      "approvalId" in noted
        ? tenant.noteApproval(journalId, noted.approvalId)
        : tenant.endAtOnce(journal, "PROPOSED", { status: "REFUSED", failure: noted.refusedBecause }),
  );
  return foundIn(deps, journalId, call);
}

const words = { STANDARD: "Journal", OPENING: "Opening balances", REVERSAL: "Reversal of a journal" } as const;
