import { formatMoney } from "../../../kernel/money.js";
import type { CaseContent, CaseTransaction } from "../domain/case-content.js";
import { listOf } from "../../screening/domain/hit-order.js";
import type { Case, CaseEvent } from "../domain/case.js";
import type { ListedDate, ListEntry } from "../../lists/domain/list-entry.js";
import type { Hit, HitRelease, Screening, Word } from "../../screening/domain/screening.js";
import { dateText } from "../../screening/wire/screenings.js";

/** A part of a printed case: lines of a label and what stands beside it. */
export interface CaseSection {
  title: string;
  lines: [string, string][];
}

/** A whole case in words, for whoever has nothing else. Pure. */
export function casePages(one: Case, content: CaseContent, timeline: readonly CaseEvent[]): CaseSection[] {
  const { screenings, transactions } = content;
  return [
    { title: "", lines: caseLines(one, content) },
    ...screenings.map((screening) => ({ title: "Compared with lists", lines: screeningLines(screening) })),
    ...(transactions.length === 0 ? [] : [{ title: "Transactions", lines: transactions.map(transactionLine) }]),
    { title: "What was done", lines: timeline.map(eventLine) },
  ];
}

function caseLines(one: Case, { subject, hitCount, transactionCount }: CaseContent): [string, string][] {
  return stated([
    ["Case", one.caseId],
    ["Kind", one.kind],
    ["Subject", subject.state === "KNOWN" ? subject.name : nameless[subject.state]],
    ["Known as", `${one.subjectKind} ${one.subjectId}`],
    ["Status", one.status],
    ["Outcome", one.outcome],
    ["Assignee", one.assignee],
    ["Priority", one.priority],
    ["Opened", one.openedAt.toISOString()],
    ["Due", one.dueAt.toISOString()],
    ["Snoozed until", one.snoozedUntil?.toISOString()],
    ["Closed", one.closedAt?.toISOString()],
    ["Tags", one.tags.join(", ")],
    ["Hits", `${hitCount}, comparisons: ${one.screeningIds.length}`],
    ["Transactions", `${transactionCount}`],
    ["Files", one.files.map(({ name, sha256 }) => `${name} (sha256 ${sha256})`).join("\n")],
  ]);
}

const nameless = {
  ERASED: "erased: the time for which the name had to be kept is over",
  UNKNOWN: "not known: nobody has told a name",
} as const;

function screeningLines(screening: Screening): [string, string][] {
  const { screeningId, name, trigger, screenedAt, lists, policyVersion, status, hits, reason } = screening;
  const used = lists.map(({ source, version }) => `${source} version ${version}`).join(", ");
  return stated([
    ["Screening", screeningId],
    ["Who", `${name} (${screening.subject.kind} ${screening.subject.id})`],
    ["When and why", `${screenedAt.toISOString()}, ${trigger}`],
    ["Lists", used],
    ["Screening policy", policyVersion === 0 ? "version 0, the platform's own" : `version ${policyVersion}`],
    ["Status", reason === undefined ? status : `${status}: ${reason}`],
    ["Transactions", screening.transactionIds.join(", ")],
    ...hits.flatMap((hit) => hitLines(screening, hit)),
  ]);
}

function hitLines(screening: Screening, hit: Hit): [string, string | undefined][] {
  const { hitId, source, entry, matchedName, score, parts, state, decidedBy, decidedAt, reason, approvalId } = hit;
  const version = listOf(screening, hit)?.version;
  const list = version === undefined ? source : `${source} version ${version}`;
  const comments = [
    state,
    ...(hit.offListSince === undefined ? [] : [`not on the list since version ${hit.offListSince}`]),
    ...(decidedBy === undefined ? [] : [`by ${decidedBy}`]),
    ...(decidedAt === undefined ? [] : [`at ${decidedAt.toISOString()}`]),
    ...(approvalId === undefined ? [] : [`approval ${approvalId}`]),
  ].join(", ");
  const compared = parts.map(
    ({ part, ours, theirs, score: alike, effect, note }) =>
      `${part}: ours ${shown(ours)}, theirs ${shown(theirs)}, alike ${alike}, effect ${effect > 0 ? "+" : ""}${effect}` +
      (note === undefined ? "" : ` (${note})`),
  );
  return [
    [`Hit ${hitId}`, `${matchedName}\n${list}, entry ${entry.entryId}`],
    ["  Score", `${score} per mille, the sum of the effects:\n${compared.join("\n")}`],
    ["  Decision", reason === undefined ? comments : `${comments}\n${reason}`],
    ["  Confirmed", hit.agreed && wordText(hit.agreed)],
    ["  Release", hit.release && releaseText(hit.release)],
    ["  Entry", entryText(entry)],
  ];
}

function wordText({ by, at, reason }: Word): string {
  return `by ${by} at ${at.toISOString()}: ${reason}`;
}

function releaseText({ way, asked, agreed }: HitRelease): string {
  const agreement = agreed === undefined ? "" : `\nagreed ${wordText(agreed)}`;
  return `${way}, asked ${wordText(asked)}${agreement}`;
}

function entryText({
  kind,
  names,
  datesOfBirth,
  countries,
  documents,
  programmes,
  remarks,
  gender,
}: ListEntry): string {
  const papers = documents.map(({ type, number, country }) => [type, number, country].filter(Boolean).join(" "));
  const lines: [string, string][] = [
    ["", kind],
    ["names", names.map(({ text }) => text).join("; ")],
    ["born", datesOfBirth.map((date: ListedDate) => dateText(date)).join(", ")],
    ["gender", gender ?? ""],
    ["countries", countries.join(", ")],
    ["documents", papers.join("; ")],
    ["programmes", programmes.join(", ")],
    ["remarks", remarks],
  ];
  return lines
    .filter(([, text]) => text !== "")
    .map(([label, text]) => (label === "" ? text : `${label}: ${text}`))
    .join("\n");
}

function transactionLine(one: CaseTransaction): [string, string] {
  const { transactionId, facts, requestedAt, decision, reasonCode, decidedBy, decidedAt, remittance } = one;
  const { amount, originCountry, receivingCountry, receivingCurrency, recipient, operation } = facts;
  const name = remittance === undefined || remittance.recipientName === "" ? recipient : remittance.recipientName;
  const code = remittance === undefined ? "" : `${remittance.transactionCode}, `;
  const since = remittance?.since === undefined ? "" : ` since ${remittance.since.toISOString()}`;
  const why = reasonCode === "" ? "" : ` (${reasonCode})`;
  return [
    requestedAt.toISOString(),
    [
      `${formatMoney(amount)} ${amount.currency}, ${originCountry} to ${receivingCountry} in ${receivingCurrency}`,
      `${operation} ${code}${transactionId}`,
      ...(recipient === "" ? [] : [`to ${name}${name === recipient ? "" : ` (${recipient})`}`]),
      ...(remittance === undefined ? [] : [`${remittance.status}${since}`]),
      `compliance: ${decision}${why} by ${decidedBy} at ${decidedAt.toISOString()}`,
    ].join("\n"),
  ];
}

function eventLine({ sequence, at, actor, kind, text, details }: CaseEvent): [string, string] {
  const values = Object.entries(details).map(([name, value]) => `${name} ${value === "" ? "-" : value}`);
  const head = [`${kind} by ${actor}`, ...values].join("; ");
  return [`${sequence}  ${at.toISOString()}`, text === "" ? head : `${head}\n${text}`];
}

function shown(text: string): string {
  return text === "" ? "nothing" : text;
}

function stated(lines: [string, string | undefined][]): [string, string][] {
  return lines.flatMap(([label, text]) =>
    text === undefined || text === "" ? [] : [[label, text] as [string, string]],
  );
}
