import { useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { pollMs, read } from "../../lib/queries";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Ago, Money, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty, Loaded } from "../../ui/panels";
import { Person, useStaffNames } from "../../ui/person";
import { Tabs } from "../../ui/tabs";
import { inWords } from "../../ui/words";
import { Decided, decidedStatuses } from "./decided";
import { Decision, type Deciding } from "./decision";
import { SubjectLink, WhatChanges } from "./subject";
import { texts } from "./texts";
import type { Approval } from "./types";

export default function Approvals() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.status}
        name="show"
        tabs={[
          { key: "waiting", label: t.waiting, content: <Waiting /> },
          ...decidedStatuses.map((status) => ({
            key: status.toLowerCase(),
            label: t[status],
            content: <Decided status={status} />,
          })),
        ]}
      />
    </Page>
  );
}

/** All that waits, the oldest first: each is read before it is decided. */
function Waiting() {
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <>
      <Cards onDecide={setDeciding} />
      {/* Beside the list: if somebody was faster, its card goes and what is said of it stays. */}
      {deciding && <Decision {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

function Cards({ onDecide }: { onDecide: (deciding: Deciding) => void }) {
  const t = useTexts(texts);
  const waiting = useQuery({
    ...read("approvals", "listApprovals", { status: "PENDING" }, (options) =>
      api.approvals.list({ status: "PENDING" }, options).toArray({ max: 200 }),
    ),
    // What concerns one of the staff is told by no event.
    refetchInterval: pollMs,
  });
  return (
    <Loaded query={waiting}>
      {(found) =>
        found.length === 0 ? (
          <div className="card">
            <Empty title={t.empty}>{t.emptyHint}</Empty>
          </div>
        ) : (
          <ul className="flex flex-col gap-3" aria-label={t.waiting}>
            {found
              .toSorted((one, other) => one.askedAt.localeCompare(other.askedAt))
              .map((approval) => (
                <li key={approval.id}>
                  <Card approval={approval} onDecide={(how) => onDecide({ approval, how })} />
                </li>
              ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Card({ approval, onDecide }: { approval: Approval; onDecide: (how: Deciding["how"]) => void }) {
  const t = useTexts(texts);
  const user = useUser();
  const summary = useStaffNames()(approval.summary);
  const isOwn = approval.askedBy === user.id;
  return (
    <article className="card" aria-label={summary}>
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 className="font-semibold [overflow-wrap:anywhere]">{summary || inWords(approval.kind)}</h2>
          <span className="text-muted">{inWords(approval.kind)}</span>
        </div>
        <span className="flex items-center gap-3">
          <span className="text-muted">
            <Ago at={approval.askedAt} />
          </span>
          <strong>{approval.amount && <Money amount={approval.amount} currency={approval.currency} />}</strong>
        </span>
      </header>
      <div className="grid grid-cols-1 items-start gap-4 p-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
        <KeyValue
          columns={2}
          facts={[
            { label: t.askedBy, value: <Person id={approval.askedBy} /> },
            { label: t.because, value: approval.askedBecause },
            { label: t.asked, value: <Time at={approval.askedAt} /> },
            { label: t.expires, value: <Time at={approval.expiresAt} /> },
            { label: t.subject, value: <SubjectLink approval={approval} /> },
          ]}
        />
        <WhatChanges approval={approval} />
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2">
        {isOwn && <span className="mr-auto text-muted">{t.own}</span>}
        <Button icon={X} disabled={isOwn} onClick={() => onDecide("refuse")}>
          {t.refuse}
        </Button>
        <Button icon={Check} variant="primary" disabled={isOwn} onClick={() => onDecide("approve")}>
          {t.approve}
        </Button>
      </footer>
    </article>
  );
}
