import { screeningTriggers } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge, toneIn } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Figure, None, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { screeningTones, useOptions, useWord } from "../compliance/codes";
import type { Screening } from "../compliance/types";
import { Exemptions } from "./exemptions";
import { Search } from "./search";
import { texts } from "./texts";

export default function Screenings() {
  const t = useTexts(texts);
  return (
    <Page title={t.title} about={t.about}>
      <Tabs
        label={t.title}
        name="show"
        tabs={[
          { key: "comparisons", label: t.comparisons, content: <Comparisons /> },
          { key: "search", label: t.search, content: <Search /> },
          { key: "exemptions", label: t.exemptions, content: <Exemptions /> },
        ]}
      />
    </Page>
  );
}

function Comparisons() {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const filters = useFilters(["status", "offList", "trigger", "customerId", "transactionId"]);
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        filters={filters}
        fields={[
          { name: "status", label: t.status, kind: "select", options: optionsOf(Object.keys(screeningTones)) },
          { name: "offList", label: t.offList, kind: "select", options: [{ value: "true", label: t.offListOnly }] },
          { name: "trigger", label: t.trigger, kind: "select", options: optionsOf(screeningTriggers) },
          { name: "customerId", label: t.customerId, kind: "text" },
          { name: "transactionId", label: t.transactionId, kind: "text" },
        ]}
      />
      <DataTable
        label={t.comparisons}
        area="screenings"
        operation="listScreenings"
        list={api.compliance.listScreenings}
        filters={filters}
        columns={useColumns()}
        rowKey={({ screeningId }) => screeningId}
        rowLink={({ screeningId }) => `/screenings/${screeningId}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
    </div>
  );
}

function useColumns(): readonly Column<Screening>[] {
  const t = useTexts(texts);
  const word = useWord();
  return [
    { header: t.who, cell: (row) => <bdi>{row.subject.name}</bdi> },
    { header: t.kind, cell: (row) => word(row.subject.kind) },
    { header: t.trigger, cell: (row) => word(row.trigger) },
    {
      header: t.status,
      cell: (row) => (
        <StatusBadge status={row.status} label={word(row.status)} tone={toneIn(screeningTones, row.status)} />
      ),
    },
    { header: t.hits, isNumber: true, cell: (row) => <Counted row={row} /> },
    {
      header: t.best,
      cell: ({ hits: [best] }) =>
        best ? (
          <>
            <bdi>{best.matchedName}</bdi> <span className="text-muted">{word(best.entry.source)}</span>
          </>
        ) : (
          <None />
        ),
    },
    { header: t.score, isNumber: true, cell: ({ hits: [best] }) => <Figure value={best?.score} /> },
    { header: t.compared, cell: (row) => <Time at={row.screenedAt} /> },
  ];
}

/** How many hits there are, and how many of them nobody has decided. */
function Counted({ row }: { row: Screening }) {
  const t = useTexts(texts);
  const open = row.hits.filter(({ state }) => state === "OPEN").length;
  return (
    <>
      {row.hits.length}
      {row.isCut && "+"}
      {open > 0 && <span className="ml-1.5 text-warn">{t.openHits(String(open))}</span>}
      {row.hits.some(({ offListSince }) => offListSince !== undefined) && (
        <span className="ml-1.5 text-warn">{t.hasOffList}</span>
      )}
    </>
  );
}
