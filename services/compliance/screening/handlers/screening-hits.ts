import { v7 as uuidv7 } from "uuid";
import {
  DecideHitRequest,
  DecideHitResponse,
  DecideHitsRequest,
  ReleaseConfirmedHitRequest,
  ReleaseConfirmedHitResponse,
  type ScreeningServiceDefinition,
} from "../../../../proto/gen/compliance/v1/screening.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { MessageType } from "../../../kernel/grpc/definition.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import {
  requestConfirmation,
  requestRelease,
  markFalsePositives,
  hitOf,
  hitsOf,
  isConfirmationToRequest,
  isReleaseToRequest,
  releasedWith,
  withExemptions,
  type ReleaseWay,
} from "../domain/hit-decision.js";
import type { Exemption } from "../domain/exemption.js";
import type { Screening, Word } from "../domain/screening.js";
import type { KnownPerson } from "../../decisions/checks/hit-consequences.js";
import type { Session } from "../../decisions/store/index.js";
import { assertExemptible, decisionFromWire, hitIdsFromWire, releaseWayFromWire } from "../wire/hits.js";
import { screeningToWire } from "../wire/screenings.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { originOf } from "../../common/handlers/deps.js";
import { createHitApprovals, type RequestedApproval } from "./hit-approvals.js";
import { auditOf, begun, hitsText, type HitDeps } from "./hit-deps.js";
import { assertOfOthers } from "../../common/handlers/own-subject.js";
import { noScreening } from "./screening-deps.js";

/** The approval that was asked for. */
interface ApprovalReference {
  approvalId: string;
  way?: ReleaseWay;
}

/**
 * What people decide on hits. What is kept under a key is which
 * screening it was, not who was screened.
 */
export function hitHandlers(deps: HitDeps) {
  const { store, screenings, exemptions, cases, people, times, clock, runOnce, processed, outbox, consequences } = deps;
  const asking = createHitApprovals(deps);

  async function read(screeningId: string, call: Call, session?: Session): Promise<Screening> {
    const found = await screenings.forTenant(call.tenantId).find(screeningId, session);
    if (found === undefined) throw noScreening();
    return found;
  }

  /** The screening with who it is about, and the word of the caller. */
  async function prepared(request: { screeningId: string; reason: string }, hitIds: readonly string[], call: Call) {
    const screeningId = idFromWire(request.screeningId, "screeningId");
    const reason = reasonFromWire(request.reason);
    const at = (await times.forTenant(call.tenantId, call.interactionId)).now();
    const comment: Word = { by: requireUser(call).userId, reason, at };
    const screening = await read(screeningId, call);
    assertOfOthers(screening.subject, call);
    hitsOf(screening, hitIds);
    const person = await personBehind(screening, call);
    return { screening, requested: { screeningId, hitIds, comment, person } };
  }

  /**
   * Of a customer whom nobody has assessed yet, what identity says;
   * undefined where it need not be asked.
   */
  async function personBehind({ subject }: Screening, call: Call): Promise<KnownPerson | undefined> {
    const { customerId } = subject;
    if (customerId === "") return undefined;
    const known = await store.forTenant(call.tenantId).findCustomer(customerId);
    if (known?.person !== undefined) return undefined;
    const { country, registeredAt } = await people.find({ customerId }, call);
    return { country, registeredAt };
  }

  /** As the caller is answered, whether this call has written it or an earlier one. */
  async function answer(screeningId: string, call: Call) {
    crashPoint("compliance.hit.decided");
    outbox.wake();
    const caseIds = await cases.forTenant(call.tenantId).caseIdsOf([screeningId]);
    return { screening: screeningToWire(await read(screeningId, call), caseIds.get(screeningId)) };
  }

  async function audit(
    call: Call,
    action: string,
    screening: Screening,
    { hitIds, comment }: RequestedApproval,
    session: Session,
  ) {
    const tenant = store.forTenant(call.tenantId);
    for (const hitId of hitIds)
      await tenant.insertAudit(auditEntry(call, clock, auditOf(action, screening, hitId, comment.reason)), session);
  }

  async function writeFalse(requested: RequestedApproval, until: Date | undefined, call: Call, session: Session) {
    const { screeningId, hitIds, comment, person } = requested;
    const decided = markFalsePositives(await read(screeningId, call, session), hitIds, comment);
    const ofTenant = exemptions.forTenant(call.tenantId);
    if (decided === undefined) {
      for (const hitId of hitIds) {
        const made = await ofTenant.findOfHit({ screeningId, hitId }, session);
        if (made?.until.getTime() === until?.getTime()) continue;
        throw new Refusal("STATE_CONFLICT", `hit ${hitId} was decided with another exemption`);
      }
      return;
    }
    const made = until === undefined ? [] : hitIds.map((hitId) => exemptionFrom(decided, hitId, comment, until));
    for (const exemption of made) await ofTenant.insert(exemption, session);
    const screening = withExemptions(decided, made);
    const isElse = hitIds.length === 1 ? "is somebody else" : "are somebody else";
    const text = `${begun(hitsText(screening, hitIds))} ${isElse}: ${comment.reason}`;
    await consequences.write(originOf(call), { screening, hitIds, step: "FALSE_POSITIVE", text, person }, session);
    await audit(call, "screening.false-positive", screening, requested, session);
    crashPoint("compliance.hit.deciding");
  }

  /**
   * Notes on the hits what was asked of identity, unless its answer was heard already and
   * done. Refuses STATE_CONFLICT where the approval is over and was not done: somebody else
   * had asked, and it was taken back.
   */
  async function writeRequested(
    requested: RequestedApproval,
    { approvalId, way }: ApprovalReference,
    call: Call,
    session: Session,
  ): Promise<void> {
    const { screeningId, hitIds, comment, person } = requested;
    const [hitId] = hitIds as [string];
    const before = await read(screeningId, call, session);
    const isToAsk =
      way === undefined
        ? isConfirmationToRequest(before, hitIds, comment.by)
        : isReleaseToRequest(before, hitId, comment.by, way);
    if (!isToAsk) return;
    if (await processed.forTenant(call.tenantId).isProcessed(approvalId, session)) {
      if (hitsOf(before, hitIds).some((hit) => hit.approvalId === approvalId)) return;
      throw new Refusal("STATE_CONFLICT", "the approval was ended: ask again with another key");
    }
    const screening =
      way === undefined
        ? requestConfirmation(before, hitIds, comment, approvalId)
        : requestRelease(before, hitIds, { comment, way, approvalId });
    const same = hitIds.length === 1 ? "is the same" : "are the same";
    const toBe = hitIds.length === 1 ? "is to be" : "are to be";
    const what = way === undefined ? same : `${toBe} released (${way})`;
    const named = begun(hitsText(screening, hitIds));
    const text = `${named} ${what}, says ${comment.by}; a second manager decides: ${comment.reason}`;
    await consequences.write(originOf(call), { screening, hitIds, step: "ASKED", text, person }, session);
    const action = way === undefined ? "screening.confirmation-ask" : "screening.release-ask";
    await audit(call, action, screening, requested, session);
  }

  /** All of the hits or none. */
  async function decide<R extends DecideHitRequest | DecideHitsRequest>(
    keyed: { operation: string; request: R; requestType: MessageType<R>; call: Call },
    hitIds: readonly string[],
  ) {
    const { request, call } = keyed;
    const { exemptUntil: until } = request;
    const decision = decisionFromWire(request.decision);
    const { screening: seen, requested } = await prepared(request, hitIds, call);
    const { screeningId, comment } = requested;
    await asking.withApproval(screeningId, call, (note) =>
      runOnce({
        ...keyed,
        response: DecideHitResponse,
        async prepare() {
          assertExemptible(until, { decision, kind: seen.subject.kind, now: comment.at });
          if (decision === "FALSE_POSITIVE" || !isConfirmationToRequest(seen, hitIds, comment.by)) return undefined;
          return note(await asking.approvalFor(requested, seen, { key: request.idempotencyKey }, call));
        },
        async work(session, approvalId) {
          if (decision === "FALSE_POSITIVE") await writeFalse(requested, until, call, session);
          else if (approvalId !== undefined) await writeRequested(requested, { approvalId }, call, session);
          return { screening: { screeningId } };
        },
      }),
    );
    return answer(screeningId, call);
  }

  return {
    decideHit: (request, call) =>
      decide({ operation: "decide-hit", request, requestType: DecideHitRequest, call }, [
        idFromWire(request.hitId, "hitId"),
      ]),

    decideHits: (request, call) =>
      decide(
        { operation: "decide-hits", request, requestType: DecideHitsRequest, call },
        hitIdsFromWire(request.hitIds),
      ),

    async releaseConfirmedHit(request, call) {
      const way = releaseWayFromWire(request.transactions);
      const hitId = idFromWire(request.hitId, "hitId");
      const { screening: seen, requested: about } = await prepared(request, [hitId], call);
      const requested = { ...about, hitIds: releasedWith(seen, hitId) };
      const { screeningId, comment } = requested;
      const keyed = { request, requestType: ReleaseConfirmedHitRequest, response: ReleaseConfirmedHitResponse, call };
      await asking.withApproval(screeningId, call, (note) =>
        runOnce({
          operation: "release-confirmed-hit",
          ...keyed,
          async prepare() {
            if (!isReleaseToRequest(seen, hitId, comment.by, way)) return undefined;
            return note(await asking.approvalFor(requested, seen, { key: request.idempotencyKey, way }, call));
          },
          async work(session, approvalId) {
            if (approvalId !== undefined) await writeRequested(requested, { approvalId, way }, call, session);
            return { screening: { screeningId } };
          },
        }),
      );
      return answer(screeningId, call);
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}

function exemptionFrom(screening: Screening, hitId: string, { by, reason, at }: Word, until: Date): Exemption {
  const { source, entry, entryFingerprint } = hitOf(screening, hitId);
  const { screeningId, subject, name, identityFingerprint } = screening;
  return {
    exemptionId: uuidv7(),
    subject,
    name,
    source,
    entryId: entry.entryId,
    identityFingerprint,
    entryFingerprint,
    reason,
    until,
    madeBy: by,
    madeAt: at,
    screeningId,
    hitId,
  };
}
