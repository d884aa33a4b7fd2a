import type {
  Hit as WireHit,
  ListEntry as WireEntry,
  Screening as WireScreening,
  ScreeningExemption as WireExemption,
  ScreeningSubject as WireSubject,
} from "../../../../proto/gen/compliance/v1/screening.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { listOf } from "../domain/hit-order.js";
import { exemptionStates, stateOf, type Exemption, type ExemptionState } from "../domain/exemption.js";
import type { ListedDate, ListEntry } from "../../lists/domain/list-entry.js";
import type { Hit, Screening } from "../domain/screening.js";
import type { SubjectRef, UsedList } from "../../common/domain/subject.js";
import { oneOf } from "../../common/wire/one-of.js";

/** `caseId` is of the case that it joined; empty where there is none. */
export function screeningToWire(screening: Screening, caseId = ""): WirePartial<WireScreening> {
  const { screeningId, subject, name, trigger, lists, policyVersion, status, hits, transactionIds } = screening;
  const { screenedAt, reason = "" } = screening;
  return {
    screeningId,
    subject: subjectToWire(subject, name),
    trigger,
    lists,
    policyVersion,
    status,
    hits: hits.map((hit) => hitToWire(hit, listOf(screening, hit))),
    transactionIds,
    caseId,
    screenedAt,
    reason,
    isCut: screening.isCut === true,
  };
}

/** `name` is as the subject was screened. */
export function subjectToWire({ kind, id, customerId }: SubjectRef, name: string): WireSubject {
  return { kind, id, customerId, name };
}

export function exemptionToWire(exemption: Exemption, now: Date): WirePartial<WireExemption> {
  const { exemptionId, subject, name, source, entryId, reason, until, madeBy, madeAt, ended, voidAt } = exemption;
  return {
    exemptionId,
    subject: subjectToWire(subject, name),
    source,
    entryId,
    reason,
    until,
    madeBy,
    madeAt,
    state: stateOf(exemption, now),
    ended,
    voidAt,
  };
}

/** Undefined where none is named. Refuses INVALID_INPUT for one that is none. */
export function stateFromWire(state: string): ExemptionState | undefined {
  return state === "" ? undefined : oneOf(exemptionStates, state, "state");
}

function hitToWire(hit: Hit, list: UsedList | undefined): WirePartial<WireHit> {
  const { hitId, source, entry, matchedName, score, parts, state, decidedBy, reason, decidedAt, approvalId } = hit;
  const { agreed, release, exemption } = hit;
  return {
    hitId,
    entry: entryToWire(entry, source),
    matchedName,
    score,
    parts: [...parts],
    state,
    decidedBy: decidedBy ?? "",
    reason: reason ?? "",
    decidedAt,
    approvalId: approvalId ?? "",
    agreed,
    release: release && {
      transactions: release.way,
      asked: release.asked,
      agreed: release.agreed,
      approvalId: release.approvalId,
    },
    exemptionId: exemption?.exemptionId ?? "",
    exemptUntil: exemption?.until,
    listId: list?.listId ?? "",
    listVersion: list?.version ?? 0,
    offListSince: hit.offListSince ?? 0,
  };
}

function entryToWire(entry: ListEntry, source: Hit["source"]): WireEntry {
  const { entryId, kind, names, datesOfBirth, countries, documents, programmes, remarks, gender = "" } = entry;
  return {
    entryId,
    source,
    kind,
    names: names.map(({ text }) => text),
    datesOfBirth: datesOfBirth.map(dateText),
    countries: [...countries],
    documents: documents.map((document) => ({ ...document })),
    programmes: [...programmes],
    remarks,
    gender,
  };
}

/** "1962-03-04", "1962-03", "1962", or "1960/1965" for a span. */
export function dateText({ year, month, day, untilYear }: ListedDate): string {
  const text = (number: number, digits: number) => String(number).padStart(digits, "0");
  if (untilYear !== undefined) return `${text(year, 4)}/${text(untilYear, 4)}`;
  return [
    text(year, 4),
    ...(month === undefined ? [] : [text(month, 2)]),
    ...(day === undefined ? [] : [text(day, 2)]),
  ].join("-");
}
