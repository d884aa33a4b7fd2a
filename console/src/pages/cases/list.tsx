import { useQuery } from "@tanstack/react-query";
import { FolderPlus } from "lucide-react";
import { useState } from "react";
import { caseKinds, caseStatuses } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { pollMs, read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { useOptions, useWord } from "../compliance/codes";
import { OnDeskOf } from "../compliance/desk";
import { SubjectName } from "../compliance/subject";
import { complianceTexts } from "../compliance/texts";
import { CaseStatus, Priority } from "./badges";
import { queues, type Queue } from "./codes";
import { OpenCaseDialog } from "./open-dialog";
import { texts } from "./texts";

type Row = RowOf<typeof api.compliance.listCases>;

export default function Cases() {
  const t = useTexts(texts);
  const may = useMay();
  const [isOpening, setOpening] = useState(false);
  const counts = useQuery({
    ...read("cases", "countCases", {}, (options) => api.compliance.countCases(options)),
    // Nobody but officers may know that a case has changed: no event tells.
    refetchInterval: pollMs,
  });
  const countOf: Partial<Record<Queue, number>> = {
    ...(counts.data && {
      OPEN: counts.data.open,
      MINE: counts.data.mine,
      UNASSIGNED: counts.data.unassigned,
      OVERDUE: counts.data.overdue,
      SNOOZED: counts.data.snoozed,
    }),
  };
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        may("openCase") && (
          <Button icon={FolderPlus} onClick={() => setOpening(true)}>
            {t.openCase}
          </Button>
        )
      }
    >
      <Tabs
        label={t.queue}
        name="queue"
        tabs={queues.map((queue) => ({
          key: queue,
          label: <QueueLabel name={t[queue]} count={countOf[queue]} isBad={queue === "OVERDUE"} />,
          content: <Queued queue={queue} />,
        }))}
      />
      {isOpening && <OpenCaseDialog onClose={() => setOpening(false)} />}
    </Page>
  );
}

function QueueLabel({ name, count, isBad }: { name: string; count: number | undefined; isBad: boolean }) {
  return (
    <>
      {name}
      {count !== undefined && (
        <span className={`figures ml-1.5 text-xs ${isBad && count > 0 ? "font-semibold text-bad" : "text-muted"}`}>
          {count}
        </span>
      )}
    </>
  );
}

function Queued({ queue }: { queue: Queue }) {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const filters = useFilters(["kind", "status", "order", "customerId"]);
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        filters={filters}
        fields={[
          { name: "kind", label: t.kind, kind: "select", options: optionsOf(caseKinds) },
          ...(queue === "ALL"
            ? [{ name: "status" as const, label: t.status, kind: "select" as const, options: optionsOf(caseStatuses) }]
            : []),
          {
            name: "order",
            label: t.order,
            kind: "select",
            nothing: t.byAge,
            options: [
              { value: "PRIORITY", label: t.byPriority },
              { value: "DUE", label: t.byDue },
            ],
          },
          { name: "customerId", label: t.customerId, kind: "text" },
        ]}
      />
      <DataTable
        label={t.title}
        area="cases"
        operation="listCases"
        list={api.compliance.listCases}
        filters={filters}
        query={{ queue } as Record<string, string>}
        columns={useColumns()}
        rowKey={({ caseId }) => caseId}
        rowLink={({ caseId }) => `/cases/${caseId}`}
        empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
      />
    </div>
  );
}

function useColumns(): readonly Column<Row>[] {
  const t = useTexts(texts);
  const desk = useTexts(complianceTexts);
  const word = useWord();
  return [
    {
      header: t.subject,
      cell: (row) => (
        <>
          <span className="figures text-muted">#{row.number}</span>{" "}
          <SubjectName name={row.subjectName} state={row.subjectNameState} />
        </>
      ),
    },
    {
      header: t.kind,
      cell: (row) => (
        <>
          {word(row.kind)} <span className="text-muted">· {word(row.subjectKind)}</span>
        </>
      ),
    },
    { header: t.priority, cell: (row) => <Priority priority={row.priority} /> },
    { header: t.status, cell: (row) => <CaseStatus status={row.status} /> },
    { header: t.hits, isNumber: true, cell: (row) => <Hits row={row} /> },
    { header: t.transactions, isNumber: true, cell: (row) => row.transactionCount },
    { header: desk.desk, cell: (row) => <OnDeskOf assignee={row.assignee} /> },
    { header: t.opened, cell: (row) => <Ago at={row.openedAt} /> },
    { header: t.due, cell: (row) => <Due row={row} /> },
    {
      header: t.tags,
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          {row.tags.map((tag) => (
            <Badge key={tag}>{word(tag)}</Badge>
          ))}
        </span>
      ),
    },
  ];
}

function Hits({ row }: { row: Row }) {
  const best = row.hits[0];
  return <span title={best && `${best.matchedName} · ${best.score} ‰`}>{row.hitCount}</span>;
}

function Due({ row }: { row: Row }) {
  const t = useTexts(texts);
  if (row.closedAt) return <Time at={row.closedAt} />;
  return (
    <>
      <span className={Date.parse(row.dueAt) < Date.now() ? "font-medium text-bad" : ""}>
        <Ago at={row.dueAt} />
      </span>
      {row.snoozedUntil && <div className="text-xs text-muted">{t.asleep}</div>}
    </>
  );
}
