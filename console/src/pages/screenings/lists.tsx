import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useState } from "react";
import { listSources } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge, StatusBadge, toneIn } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Figure, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table, type Column } from "../../ui/table";
import { useOptions, useWord } from "../compliance/codes";
import { listTones } from "./codes";
import { LoadDialog } from "./load-dialog";
import { texts } from "./texts";
import type { ScreeningList } from "./types";

export default function ScreeningLists() {
  const t = useTexts(texts);
  const may = useMay();
  const optionsOf = useOptions();
  const filters = useFilters(["source", "status"]);
  const [isLoading, setLoading] = useState(false);
  return (
    <Page
      title={t.listsTitle}
      about={t.listsAbout}
      actions={
        may("loadScreeningList") && (
          <Button icon={Upload} onClick={() => setLoading(true)}>
            {t.load}
          </Button>
        )
      }
    >
      <InUse />
      <h2 className="font-semibold">{t.versions}</h2>
      <FilterBar
        filters={filters}
        fields={[
          { name: "source", label: t.source, kind: "select", options: optionsOf(listSources) },
          { name: "status", label: t.status, kind: "select", options: optionsOf(Object.keys(listTones)) },
        ]}
      />
      <DataTable
        label={t.versions}
        area="screenings"
        operation="listScreeningLists"
        list={api.compliance.listScreeningLists}
        filters={filters}
        columns={useColumns()}
        rowKey={({ listId }) => listId}
        rowLink={({ listId }) => `/screening-lists/${listId}`}
        empty={<Empty title={t.noLists}>{t.noListsHint}</Empty>}
      />
      {isLoading && <LoadDialog onClose={() => setLoading(false)} />}
    </Page>
  );
}

export function ListStatus({ status }: { status: string }) {
  const word = useWord();
  return <StatusBadge status={status} label={word(status)} tone={toneIn(listTones, status)} />;
}

/**
 * What is looked at now, a line a source that the policy has on; one
 * that is missing stops everybody.
 */
function InUse() {
  const t = useTexts(texts);
  const word = useWord();
  const active = useQuery(
    read("screenings", "listScreeningLists", { active: true }, (options) =>
      api.compliance.listScreeningLists({ status: "ACTIVE", size: 100 }, options).toArray({ max: 100 }),
    ),
  );
  const policy = useQuery(
    read("policy", "readScreeningPolicy", {}, (options) => api.compliance.readScreeningPolicy(options)),
  );
  return (
    <Section title={t.inUse} flush>
      <Loaded query={active}>
        {(lists) => (
          <Table
            label={t.inUse}
            rows={listSources.map((source) => {
              // An organisation's own version counts in place of the operator's.
              const ofSource = lists.filter((list) => list.source === source);
              return { source, list: ofSource.find(({ isOperators }) => !isOperators) ?? ofSource[0] };
            })}
            rowKey={({ source }) => source}
            columns={[
              { header: t.source, isHeading: true, cell: ({ source }) => word(source) },
              {
                header: t.policy,
                cell: ({ source, list }) =>
                  policy.data?.lists.includes(source) ? (
                    <Badge tone={list ? "good" : "bad"}>{list ? t.on : t.missing}</Badge>
                  ) : (
                    t.off
                  ),
              },
              {
                header: t.version,
                cell: ({ list }) =>
                  list ? (
                    <Link to={`/screening-lists/${list.listId}`} className="link">
                      {list.version}
                    </Link>
                  ) : (
                    "–"
                  ),
              },
              { header: t.whose, cell: ({ list }) => (list ? (list.isOperators ? t.operators : t.own) : "") },
              { header: t.entries, isNumber: true, cell: ({ list }) => <Figure value={list?.entries} /> },
              { header: t.published, cell: ({ list }) => <Ago at={list?.publishedAt} /> },
              { header: t.loaded, cell: ({ list }) => <Ago at={list?.loadedAt} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function useColumns(): readonly Column<ScreeningList>[] {
  const t = useTexts(texts);
  const word = useWord();
  return [
    { header: t.source, cell: (row) => `${word(row.source)} ${row.version}` },
    { header: t.whose, cell: (row) => (row.isOperators ? t.operators : t.own) },
    { header: t.status, cell: (row) => <ListStatus status={row.status} /> },
    { header: t.entries, isNumber: true, cell: (row) => <Figure value={row.entries} /> },
    { header: t.added, isNumber: true, cell: (row) => <Figure value={row.added} /> },
    { header: t.changed, isNumber: true, cell: (row) => <Figure value={row.changed} /> },
    {
      header: t.removed,
      isNumber: true,
      cell: (row) => (
        <span className={row.removed > 0 ? "text-bad" : ""}>
          <Figure value={row.removed} />
        </span>
      ),
    },
    { header: t.because, cell: (row) => row.reason },
    { header: t.loadedBy, cell: (row) => <Loader by={row.loadedBy} /> },
    { header: t.loaded, cell: (row) => <Time at={row.loadedAt} /> },
  ];
}

export function Loader({ by }: { by: string }) {
  const t = useTexts(texts);
  return by === "connector" ? t.connector : <Person id={by} />;
}
