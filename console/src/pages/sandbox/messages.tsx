import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Id, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import { texts } from "./texts";

type Message = Awaited<ReturnType<ReturnType<typeof api.sandbox.listMessages>["page"]>>["items"][number];
type Query = Parameters<typeof api.sandbox.listMessages>[0];

/** E-mails and texts that nobody was sent: they end here. */
export function Messages() {
  const t = useTexts(texts);
  const filters = useFilters(["to"]);
  const columns: readonly Column<Message>[] = [
    { key: "at", header: t.sent, cell: (row) => <Time at={row.sentAt} seconds /> },
    { key: "channel", header: t.channel, cell: (row) => <Badge>{inWords(row.channel)}</Badge> },
    { key: "to", header: t.to, cell: (row) => row.to },
    {
      key: "text",
      header: t.message,
      cell: (row) => (
        <details>
          <summary>{row.subject || row.text.slice(0, 60)}</summary>
          <pre className="mt-1 max-w-xl font-sans whitespace-pre-wrap">{row.text}</pre>
        </details>
      ),
    },
    { key: "code", header: t.code, cell: (row) => (row.code ? <Id value={row.code} /> : <None />) },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FilterBar filters={filters} fields={[{ name: "to", label: t.to, kind: "search", placeholder: t.toHint }]} />
      <DataTable
        label={t.messages}
        area="home"
        operation="listSandboxMessages"
        load={(query, options) => api.sandbox.listMessages(query as Query, options).page()}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.reference}
        empty={<Empty title={t.noMessages}>{t.noMessagesHint}</Empty>}
      />
    </div>
  );
}
