import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Id, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Message = RowOf<typeof api.sandbox.listMessages>;

/** E-mails and texts that nobody was sent: they end here. */
export function Messages() {
  const t = useTexts(texts);
  const filters = useFilters(["to"]);
  const columns: readonly Column<Message>[] = [
    { header: t.sent, cell: (row) => <Time at={row.sentAt} seconds /> },
    { header: t.channel, cell: (row) => <Badge>{inWords(row.channel)}</Badge> },
    { header: t.to, cell: (row) => row.to },
    {
      header: t.message,
      cell: (row) => (
        <details>
          <summary>{row.subject || row.text.slice(0, 60)}</summary>
          <pre className="mt-1 max-w-xl font-sans whitespace-pre-wrap">{row.text}</pre>
        </details>
      ),
    },
    { header: t.code, cell: (row) => (row.code ? <Id value={row.code} /> : <None />) },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FilterBar filters={filters} fields={[{ name: "to", label: t.to, kind: "search", placeholder: t.toHint }]} />
      <DataTable
        label={t.messages}
        area="home"
        operation="listSandboxMessages"
        list={api.sandbox.listMessages}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.reference}
        empty={<Empty title={t.noMessages}>{t.noMessagesHint}</Empty>}
      />
    </div>
  );
}
