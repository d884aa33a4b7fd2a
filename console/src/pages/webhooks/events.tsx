import { useQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { eventTypesQuery, wildcardOf } from "./endpoints";
import { texts } from "./texts";

type Event = RowOf<typeof api.events.list>;

export default function Events() {
  const t = useTexts(texts);
  const types = useQuery(eventTypesQuery()).data?.map(({ type }) => type) ?? [];
  const filters = useFilters(["type", "subject", "from"]);
  const patterns = [...new Set(types.map(wildcardOf))].flatMap((wildcard) => [
    wildcard,
    ...types.filter((type) => wildcardOf(type) === wildcard),
  ]);
  const columns: readonly Column<Event>[] = [
    { header: t.event, cell: (row) => <span className="font-mono text-xs">{row.type}</span> },
    { header: t.told, cell: (row) => <Time at={row.timestamp} seconds /> },
    {
      header: t.subject,
      cell: (row) => (
        <span className="font-mono text-xs [overflow-wrap:anywhere]">
          {row.subject.type}:{row.subject.id}
        </span>
      ),
    },
    { header: t.sequence, isNumber: true, cell: (row) => row.sequence },
  ];
  return (
    <Page title={t.events} about={t.eventsAbout}>
      <FilterBar
        filters={filters}
        fields={[
          { name: "subject", label: t.subject, kind: "search", placeholder: "transaction:…" },
          {
            name: "type",
            label: t.eventType,
            kind: "select",
            options: plain(patterns),
          },
          { name: "from", label: t.from, kind: "date" },
        ]}
      />
      <DataTable
        label={t.events}
        area="webhooks"
        operation="listEvents"
        list={api.events.list}
        filters={filters}
        days={{ first: "from" }}
        columns={columns}
        rowKey={(row) => row.id}
        rowLink={(row) => `/events/${row.id}`}
        empty={<Empty title={t.noEvents}>{t.noEventsHint}</Empty>}
      />
    </Page>
  );
}
