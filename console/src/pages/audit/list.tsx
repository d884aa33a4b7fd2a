import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Entry = RowOf<typeof api.compliance.listAudit>;

/** What people decided, the newest first, by all that it is about. */
export default function Audit() {
  const t = useTexts(texts);
  const filters = useFilters(["subject"]);
  const [shown, setShown] = useState<Entry>();
  const columns: readonly Column<Entry>[] = [
    { header: t.at, cell: (row) => <Time at={row.at} seconds /> },
    { header: t.actor, cell: (row) => <Person id={row.actor} /> },
    { header: t.action, cell: (row) => inWords(row.action.replaceAll(".", "_")) },
    { header: t.subject, cell: (row) => <Subject subject={row.subject} /> },
    { header: t.reason, cell: (row) => row.reason },
    {
      header: t.doIt,
      cell: (row) => (
        <Button onClick={() => setShown(row)} aria-label={t.showOf(inWords(row.action.replaceAll(".", "_")))}>
          {t.show}
        </Button>
      ),
    },
  ];
  return (
    <Page title={t.title} about={t.about}>
      <FilterBar
        filters={filters}
        fields={[{ name: "subject", label: t.subject, kind: "search", placeholder: "customer:… transaction:… case:…" }]}
      />
      <DataTable
        label={t.title}
        area="audit"
        operation="listComplianceAudit"
        list={api.compliance.listAudit}
        filters={filters}
        columns={columns}
        rowKey={({ entryId }) => entryId}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const t = useTexts(texts);
  return (
    <Dialog title={inWords(entry.action.replaceAll(".", "_"))} wide onClose={onClose}>
      <div className="flex flex-col gap-4">
        <KeyValue
          columns={2}
          hideEmpty
          facts={[
            { label: t.at, value: <Time at={entry.at} seconds /> },
            {
              label: t.actor,
              value: (
                <>
                  <Person id={entry.actor} /> {entry.role && <span className="text-muted">{inWords(entry.role)}</span>}
                </>
              ),
            },
            { label: t.reason, value: entry.reason },
            { label: t.interaction, value: <Id value={entry.interactionId} /> },
            {
              label: t.subjects,
              value: (
                <ul>
                  {[...new Set([entry.subject, ...entry.subjects])].map((subject) => (
                    <li key={subject}>
                      <Subject subject={subject} />
                    </li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
        <section aria-label={t.content}>
          <h3 className="mb-1 text-xs text-muted">{t.content}</h3>
          <pre className="overflow-x-auto rounded-lg border border-line bg-canvas p-3 text-xs" tabIndex={0}>
            {printed(entry.content)}
          </pre>
        </section>
      </div>
    </Dialog>
  );
}

function printed(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}

const pages: Readonly<Record<string, (id: string) => string>> = {
  customer: (id) => `/customers/${id}`,
  transaction: (id) => `/transactions/${id}`,
  screening: (id) => `/screenings/${id}`,
  case: (id) => `/cases/${id}`,
};

/** "case:…" leads to its page, and all of them to what else was decided about the same. */
function Subject({ subject }: { subject: string }) {
  const t = useTexts(texts);
  const [kind = "", ...rest] = subject.split(":");
  const page = pages[kind];
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Link to={`/audit?subject=${encodeURIComponent(subject)}`} className="link font-mono text-xs">
        <span className="[overflow-wrap:anywhere]">{subject}</span>
      </Link>
      {page && (
        <Link to={page(rest.join(":"))} className="link text-xs">
          {t.open}
        </Link>
      )}
    </span>
  );
}
