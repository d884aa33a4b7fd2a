import type { Review } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import type { CaseSubject } from "../../common/domain/case-join.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { reviewReasonOf } from "../domain/review-reason.js";
import type { Screening } from "../../screening/domain/screening.js";
import { customerSubject, recipientSubject, subjectName, type SubjectRef } from "../../common/domain/subject.js";
import { decisionParties } from "../../screening/store/decision-parties.js";
import { bestHitsToWire } from "../../screening/wire/hit-summaries.js";
import { reviewToWire } from "../wire/transactions.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

export type ReviewContentDeps = Pick<ComplianceDeps, "contents" | "cases" | "screenings" | "screeningCipher">;

/**
 * Rows of the queue of what waits: why, and where it is decided. Three reads beside the queue's
 * own, however many they are; a fourth where a customer was erased. Hits are those that stand by
 * now, whatever it was that it waited for when it was decided.
 */
export async function reviewContents(
  { contents, cases, screenings, screeningCipher }: ReviewContentDeps,
  open: readonly RecordedDecision[],
  call: Call,
): Promise<WirePartial<Review>[]> {
  const transactionIds = open.map(({ transactionId }) => transactionId);
  const [found, names] = await Promise.all([
    screenings.forTenant(call.tenantId).findAbout({
      transactionIds: open.filter(isStopped).map(({ transactionId }) => transactionId),
      subjects: open.flatMap(stoppingSubjects),
    }),
    contents.namesOf(open.map(customerOf), call, open.flatMap(recipientsOf)),
  ]);
  const payees = await Promise.all(open.map((one) => payeeOf(one, call.tenantId, decisionParties(screeningCipher))));
  const stopping = new Map(open.map((one) => [one.transactionId, stoppingOf(one, found)]));
  const joined = await cases.forTenant(call.tenantId).casesWith({
    screeningIds: [...new Set(found.map(({ screeningId }) => screeningId))],
    transactionIds,
  });
  return open.map((one, index) => {
    const { customerId, recipient } = one.inputs.facts;
    const own = stopping.get(one.transactionId) ?? [];
    const [ofHit] = own.flatMap(({ screeningId }) => joined.byScreening.get(screeningId) ?? []);
    const worked = ofHit ?? joined.byTransaction.get(one.transactionId);
    const customer = names.get(subjectName(customerSubject(customerId)));
    return {
      ...reviewToWire(one),
      // What a person has to do first: nothing passes while a hit stands,
      // whatever is shown or accepted.
      reason: own.some(stands) ? "SCREENING_HIT" : reviewReasonOf(one),
      screeningIds: own.map(({ screeningId }) => screeningId),
      caseId: worked?.caseId ?? "",
      caseAssignee: worked?.assignee ?? "",
      customerName: customer?.name ?? "",
      customerNameState: customer?.state ?? "UNKNOWN",
      recipient,
      recipientName: payees[index] ?? names.get(subjectName(recipientOf(one)))?.name ?? "",
      hits: bestHitsToWire(own),
    };
  });
}

/**
 * Who is paid as the question named them: by now the recipient's code may stand for somebody else.
 */
async function payeeOf(one: RecordedDecision, tenantId: string, sealed: ReturnType<typeof decisionParties>) {
  const { transactionId, parties } = one;
  const named = await sealed.open(tenantId, { transactionId, ...(parties !== undefined && { parties }) });
  return named.find(({ role }) => role === "RECIPIENT")?.party.names[0];
}

/** Whether a hit kept it waiting when it was decided. */
const isStopped = (one: RecordedDecision): boolean => reviewReasonOf(one) === "SCREENING_HIT";

/** Whether somebody has to look at it, or it is confirmed. */
const stands = ({ status }: Screening): boolean => status === "IN_REVIEW" || status === "CONFIRMED_HIT";

/**
 * Whose hits keep it waiting: of the sender, of who is paid and who owns the
 * account, and of whose wallet is paid.
 */
function stoppingSubjects(one: RecordedDecision): SubjectRef[] {
  const { customerId, recipient, operation } = one.inputs.facts;
  const { walletOwner } = one.inputs.screening ?? {};
  const owner = walletOwner === undefined ? [] : [customerSubject(walletOwner)];
  const isOwnRecipient = recipient !== "" && operation !== "WALLET_PAYMENT";
  const holder = isOwnRecipient ? [recipientSubject(customerId, recipient, true)] : [];
  return [customerSubject(customerId), ...(recipient === "" ? [] : [recipientOf(one)]), ...holder, ...owner];
}

/** Those of the screenings that were found which concern it. */
function stoppingOf(one: RecordedDecision, found: readonly Screening[]): Screening[] {
  const whose = new Set(stoppingSubjects(one).map(subjectName));
  return found.filter(
    ({ subject, transactionIds, status }) =>
      transactionIds.includes(one.transactionId) || (status !== "NO_HIT" && whose.has(subjectName(subject))),
  );
}

function customerOf({ inputs }: RecordedDecision): CaseSubject {
  const { customerId } = inputs.facts;
  return { subjectKind: "CUSTOMER", subjectId: customerId, customerId };
}

function recipientsOf(one: RecordedDecision): CaseSubject[] {
  const { kind, id, customerId } = recipientOf(one);
  const isNobody = kind === "SEARCH" || one.inputs.facts.recipient === "";
  return isNobody ? [] : [{ subjectKind: kind, subjectId: id, customerId }];
}

/** Who is paid: a recipient of the customer's own, or another customer. */
function recipientOf({ inputs }: RecordedDecision): SubjectRef {
  const { customerId, recipient, operation } = inputs.facts;
  return operation === "WALLET_PAYMENT" ? customerSubject(recipient) : recipientSubject(customerId, recipient);
}
