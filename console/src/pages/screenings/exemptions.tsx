import { useState } from "react";
import { exemptionStates } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { StatusBadge, toneIn } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { Day, Id, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { useOptions, useWord } from "../compliance/codes";
import { exemptionTones } from "./codes";
import { texts } from "./texts";

type Exemption = RowOf<typeof api.compliance.listScreeningExemptions>;

/** Entries that are no hit for somebody, since a person has told them apart. */
export function Exemptions() {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const filters = useFilters(["state", "customerId"]);
  const [ending, setEnding] = useState<Exemption>();
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        filters={filters}
        fields={[
          { name: "state", label: t.state, kind: "select", options: optionsOf(exemptionStates) },
          { name: "customerId", label: t.customerId, kind: "text" },
        ]}
      />
      <DataTable
        label={t.exemptions}
        area="screenings"
        operation="listScreeningExemptions"
        list={api.compliance.listScreeningExemptions}
        filters={filters}
        columns={useColumns(setEnding)}
        rowKey={({ exemptionId }) => exemptionId}
        empty={<Empty title={t.noExemptions}>{t.noExemptionsHint}</Empty>}
      />
      {ending && <EndDialog exemption={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}

function useColumns(onEnd: (exemption: Exemption) => void): readonly Column<Exemption>[] {
  const t = useTexts(texts);
  const word = useWord();
  const may = useMay();
  return [
    { header: t.who, cell: (row) => <bdi className="font-medium">{row.subject.name}</bdi> },
    {
      header: t.entry,
      cell: (row) => (
        <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
          {word(row.source)} <Id value={row.entryId} />
        </span>
      ),
    },
    {
      header: t.state,
      cell: (row) => (
        <StatusBadge status={row.state} label={word(row.state)} tone={toneIn(exemptionTones, row.state)} />
      ),
    },
    { header: t.until, cell: (row) => <Day at={row.until} /> },
    { header: t.madeBy, cell: (row) => <Person id={row.madeBy} /> },
    { header: t.made, cell: (row) => <Time at={row.madeAt} /> },
    {
      header: t.reason,
      cell: (row) => (
        <>
          {row.reason}
          {row.ended && (
            <p className="text-xs text-muted">
              {t.endedBy} <Person id={row.ended.by} />: {row.ended.reason}
            </p>
          )}
          {row.voidAt && (
            <p className="text-xs text-muted">
              {t.voidSince} <Time at={row.voidAt} />
            </p>
          )}
        </>
      ),
    },
    {
      header: t.doIt,
      cell: (row) =>
        row.state === "VALID" && may("endScreeningExemption") ? (
          <Button onClick={() => onEnd(row)}>{t.end}</Button>
        ) : null,
    },
  ];
}

function EndDialog({ exemption, onClose }: { exemption: Exemption; onClose: () => void }) {
  const t = useTexts(texts);
  const end = useAction({
    operation: "endScreeningExemption",
    run: (reason: string, options) => api.compliance.endScreeningExemption(exemption.exemptionId, { reason }, options),
    stales: ["screenings", "cases"],
    done: t.ended,
  });
  return (
    <ConfirmDialog title={t.endTitle} confirm={t.end} danger action={end} onClose={onClose}>
      <p className="font-medium">
        <bdi>{exemption.subject.name}</bdi>
      </p>
      <p className="text-muted">{t.endHint}</p>
    </ConfirmDialog>
  );
}
