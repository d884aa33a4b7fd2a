import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Id } from "../../ui/figures";
import { Link } from "../../ui/link";
import { inWords } from "../../ui/words";
import { accountPage } from "../ledger/paths";
import { Changes } from "./changes";
import { HitChanges } from "./hit-changes";
import { Moves } from "./moves";
import { subjectStatuses } from "./subject-status";
import { texts } from "./texts";
import type { Approval } from "./types";

/** Where each kind of subject is shown: "transaction:…" → its page. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  transaction: (id) => `/transactions/${id}`,
  screening: (id) => `/screenings/${id}`,
  // Approvals name a loan by the account of its principal.
  loan: (id) => `/ledger/accounts/${encodeURIComponent(id)}`,
  wallet: (id) => `/ledger/accounts/${encodeURIComponent(id)}`,
  "loan-application": (id) => `/loans/${id}`,
  repayment: () => "/loan-repayments",
  customer: (id) => `/customers/${id}`,
  organisation: () => "/organisation",
  settlement: (id) => `/settlements/${id}`,
  journal: (id) => `/journals/${id}`,
  "agent-settlement": (id) => `/agent-settlements/${id}`,
  agent: (id) => `/agents/${id}`,
  account: accountPage,
  period: () => "/close",
};

function partsOf({ subject }: Approval): [kind: string, id: string] {
  const [kind = "", ...rest] = subject.split(":");
  return [kind, rest.join(":")];
}

/** Of a thing that has one. */
export function pageOf(kind: string, id: string): string | undefined {
  return id === "" ? undefined : pages[kind]?.(id);
}

export function SubjectLink({ approval }: { approval: Approval }) {
  const [kind, id] = partsOf(approval);
  const page = pageOf(kind, id);
  if (page === undefined) return <Id value={approval.subject} />;
  return (
    <Link to={page} className="link">
      {inWords(kind.replaceAll("-", "_"))}
    </Link>
  );
}

/** What the decision makes of what is there now: the money that moves, and what differs. */
export function WhatChanges({ approval }: { approval: Approval }) {
  const t = useTexts(texts);
  const [subject, id] = partsOf(approval);
  const SubjectStatus = subjectStatuses[`${approval.kind} ${subject}`];
  const hasChanges = (approval.changes ?? []).length > 0;
  const hasHits = (approval.hits ?? []).length > 0;
  return (
    <section aria-label={t.changes} className="flex min-w-0 flex-col gap-3">
      <Moves approval={approval} subject={subject} />
      {SubjectStatus && <SubjectStatus approval={approval} id={id} />}
      {hasChanges && <Changes approval={approval} />}
      {hasHits && <HitChanges approval={approval} />}
      {SubjectStatus === undefined && !hasChanges && !hasHits && (
        <KeyValue columns={1} facts={[{ label: t.changes, value: approval.summary }]} />
      )}
    </section>
  );
}
