import {
  AddCaseNoteRequest,
  AddCaseNoteResponse,
  ChangeCaseRequest,
  ChangeCaseResponse,
  CloseCaseRequest,
  CloseCaseResponse,
  OpenCaseRequest,
  OpenCaseResponse,
  ReopenCaseRequest,
  ReopenCaseResponse,
  type CaseServiceDefinition,
} from "../../../../proto/gen/compliance/v1/cases.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { retryDuplicates } from "../../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { assertManager } from "../../decisions/clients/managers.js";
import type { CaseSubject } from "../../common/domain/case-join.js";
import { joinByHand } from "../domain/case-opening.js";
import {
  assertVersion,
  changeCase,
  closeCase,
  conflict,
  reopenCase,
  type Case,
  type CaseChange,
  type CaseFacts,
} from "../domain/case.js";
import { isOpen } from "../../screening/domain/screening.js";
import { andThen, newCase } from "../jobs/open-case.js";
import type { Session, TenantStore } from "../../decisions/store/index.js";
import type { TenantScreenings } from "../../screening/store/screenings.js";
import { caseToWire, changeFromWire, commentFromWire, outcomeFromWire, priorityFromWire } from "../wire/cases.js";
import { auditEntry, caseAuditSubjects } from "../../common/handlers/audit.js";
import { isOwnCase, noCase, type CaseDeps } from "./deps.js";

const maxTransactions = 100;

/** What managers do with cases. Each is one transaction and is done once per key. */
export function caseHandlers(deps: CaseDeps) {
  const { store, cases, screenings, people, times, clock, runOnce, identity } = deps;

  const nowOf = async (call: Call) => (await times.forTenant(call.tenantId, call.interactionId)).now();

  /** Loads a case, decides, and writes it with its entries. */
  async function change(
    caseId: string,
    call: Call,
    session: Session,
    decide: (before: Case, now: Date) => CaseChange | Promise<CaseChange>,
  ) {
    const ofTenant = cases.forTenant(call.tenantId);
    const before = await ofTenant.findCase(caseId, session);
    if (before === undefined || isOwnCase(before, call)) throw noCase();
    const now = await nowOf(call);
    const made = await decide(before, now);
    const after =
      made.events.length === 0
        ? before
        : await ofTenant.putCase(made, { actor: requireUser(call).userId, at: now }, session);
    return { case: caseToWire(after) };
  }

  function audit(call: Call, action: string, one: Case, reason: string, session: Session, content: object = {}) {
    const about = caseAuditSubjects(one, ...one.screeningIds.map((id) => `screening:${id}`));
    const decided = { action, ...about, reason, content: { caseId: one.caseId, number: one.number, ...content } };
    return store.forTenant(call.tenantId).insertAudit(auditEntry(call, clock, decided), session);
  }

  return {
    async openCase(request, call) {
      const customerId = idFromWire(request.customerId, "customerId");
      const note = commentFromWire(request.note, "note");
      const priority = priorityFromWire(request.priority);
      const transactionIds = [...new Set(request.transactionIds)];
      if (transactionIds.length > maxTransactions)
        throw invalidInput("transactionIds", `names at most ${maxTransactions}`);
      transactionIds.forEach((id, index) => idFromWire(id, `transactionIds.${index}`));
      await people.find({ customerId }, call);
      const [ofTenant, tenant] = [cases.forTenant(call.tenantId), store.forTenant(call.tenantId)];
      const subject: CaseSubject = { subjectKind: "CUSTOMER", subjectId: customerId, customerId };
      const cause = { actor: requireUser(call).userId, at: await nowOf(call) };
      const work = async (session: Session) => {
        await assertTransactionsOf(tenant, customerId, transactionIds, session);
        const requested = { note, transactionIds, ...(priority !== undefined && { priority }) };
        const open = await ofTenant.findOpenCase(subject, session);
        if (open !== undefined) {
          return { case: caseToWire(await ofTenant.putCase(joinByHand(open, requested, cause.at), cause, session)) };
        }
        const opening = { subject, kind: "MANUAL" as const, ...(priority !== undefined && { priority }) };
        const opened = await newCase(ofTenant, opening, cause.at, session);
        const joined = andThen(opened, (before) => joinByHand(before, requested, cause.at));
        return { case: caseToWire(await ofTenant.insertCase(joined, cause, session)) };
      };
      const keyed = { operation: "open-case", request, requestType: OpenCaseRequest, response: OpenCaseResponse, call };
      return retryDuplicates(() => runOnce({ ...keyed, work }));
    },

    async changeCase(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const requested = changeFromWire(request);
      const { assignee = "" } = requested;
      if (assignee !== "") await assertManager(identity, assignee, call);
      const keyed = { request, requestType: ChangeCaseRequest, response: ChangeCaseResponse, call };
      return runOnce({
        operation: "change-case",
        ...keyed,
        work: (session) =>
          change(caseId, call, session, (before, now) => {
            assertVersion(before, request.version);
            return changeCase(before, requested, now);
          }),
      });
    },

    async addCaseNote(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const text = commentFromWire(request.text, "text");
      const keyed = { request, requestType: AddCaseNoteRequest, response: AddCaseNoteResponse, call };
      return runOnce({
        operation: "add-case-note",
        ...keyed,
        // A closed case takes notes too: what an authority answers often comes later.
        work: (session) =>
          change(caseId, call, session, (after) => ({ after, events: [{ kind: "NOTED", text, details: {} }] })),
      });
    },

    async closeCase(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const outcome = outcomeFromWire(request.outcome);
      const reason = commentFromWire(request.reason, "reason");
      const keyed = { request, requestType: CloseCaseRequest, response: CloseCaseResponse, call };
      return runOnce({
        operation: "close-case",
        ...keyed,
        work: (session) =>
          change(caseId, call, session, async (before, now) => {
            assertVersion(before, request.version);
            const facts = await factsOf(
              store.forTenant(call.tenantId),
              screenings.forTenant(call.tenantId),
              before,
              session,
            );
            const made = closeCase(before, { outcome, reason }, facts, now);
            await audit(call, "case.close", before, reason, session, { outcome });
            return made;
          }),
      });
    },

    async reopenCase(request, call) {
      const caseId = idFromWire(request.caseId, "caseId");
      const reason = commentFromWire(request.reason, "reason");
      const keyed = { request, requestType: ReopenCaseRequest, response: ReopenCaseResponse, call };
      const work = (session: Session) =>
        change(caseId, call, session, async (before, now) => {
          assertVersion(before, request.version);
          const made = reopenCase(before, reason, now);
          const open = await cases.forTenant(call.tenantId).findOpenCase(before, session);
          if (open !== undefined) throw conflict(`case ${open.number} of the same subject is open: work on that one`);
          await audit(call, "case.reopen", before, reason, session);
          return made;
        });
      return retryDuplicates(() => runOnce({ operation: "reopen-case", ...keyed, work }));
    },
  } satisfies Partial<Handlers<CaseServiceDefinition>>;
}

async function assertTransactionsOf(tenant: TenantStore, customerId: string, ids: readonly string[], session: Session) {
  if (ids.length === 0) return;
  const found = await tenant.findDecisions(ids, session);
  const own = new Set(
    found.filter(({ inputs }) => inputs.facts.customerId === customerId).map(({ transactionId }) => transactionId),
  );
  const unknown = ids.find((id) => !own.has(id));
  if (unknown !== undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction of this customer");
}

/**
 * What of a case waits, and what was decided: by the decisions and the screenings themselves, of
 * which the case may not have heard yet. Where a screening is gone, what the case has heard counts.
 */
async function factsOf(
  tenant: TenantStore,
  screenings: TenantScreenings,
  { subjectKind, subjectId, transactionIds, screeningIds, waitingScreeningIds }: Case,
  session: Session,
): Promise<CaseFacts> {
  const decisions = transactionIds.length === 0 ? [] : await tenant.findDecisions(transactionIds, session);
  const joined = await screenings.findMany(screeningIds, session);
  const known = new Set(joined.map(({ screeningId }) => screeningId));
  const stopping = await screenings.findOpenOf({ kind: subjectKind, id: subjectId }, session);
  const waiting = [...joined, ...stopping]
    .filter(({ hits }) => hits.some(isOpen))
    .map(({ screeningId }) => screeningId);
  const hits = joined.flatMap((one) => one.hits);
  return {
    waitingScreeningIds: [...new Set([...waiting, ...waitingScreeningIds.filter((id) => !known.has(id))])],
    waitingTransactionIds: decisions
      // A payment between wallets that is reviewed is refused, and waits for nobody.
      .filter((one) => one.isOpen && !one.isBlocked && !one.isPayeeBlocked && one.decision === "REVIEW")
      .map(({ transactionId }) => transactionId),
    isHitConfirmed: hits.some(({ state }) => state === "CONFIRMED" || state === "RELEASED"),
    isTransactionRefused: decisions.some(({ decision, decidedBy }) => decision === "REJECTED" && decidedBy !== "rules"),
  };
}
