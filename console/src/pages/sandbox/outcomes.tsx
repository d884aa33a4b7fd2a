import { Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { Figure, Id } from "../../ui/figures";
import { Empty, ErrorPanel } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { ForceDialog } from "./force-dialog";
import { texts } from "./texts";

type Outcome = RowOf<typeof api.sandbox.listForcedOutcomes>;

/** How partners and checks of the sandbox will end, as somebody has said. */
export function Outcomes() {
  const t = useTexts(texts);
  const [open, setOpen] = useState<"force" | "clear">();
  const clearOne = useAction({
    operation: "clearForcedOutcome",
    run: (outcomeId: string, options) => api.sandbox.clearForcedOutcome(outcomeId, options),
    stales: ["home"],
    done: t.isCleared,
  });
  const clearAll = useAction({
    operation: "clearForcedOutcomes",
    run: (_reason: string, options) => api.sandbox.clearForcedOutcomes(options),
    stales: ["home"],
    done: t.isCleared,
  });
  const columns: readonly Column<Outcome>[] = [
    { header: t.of, cell: (row) => inWords(row.of) },
    { header: t.outcome, cell: (row) => <Badge tone="warn">{inWords(row.outcome)}</Badge> },
    { header: t.subject, cell: (row) => (row.subject ? <Id value={row.subject} /> : t.nextOne) },
    {
      header: t.times,
      isNumber: true,
      cell: (row) => (row.times === undefined ? t.untilCleared : <Figure value={String(row.times)} />),
    },
    { header: t.delay, isNumber: true, cell: (row) => <Milliseconds of={row.delayMs} /> },
    { header: t.settle, isNumber: true, cell: (row) => <Milliseconds of={row.settleMs} /> },
    { header: t.reason, cell: (row) => row.reason },
    {
      header: t.actions,
      cell: (row) => (
        <Button icon={X} busy={clearOne.isRunning} onClick={() => void clearOne.run(row.outcomeId)}>
          {t.clear}
        </Button>
      ),
    },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">{t.outcomesAbout}</p>
        <span className="flex flex-wrap gap-2">
          <Button icon={Trash2} onClick={() => setOpen("clear")}>
            {t.clearAll}
          </Button>
          <Button icon={Plus} variant="primary" onClick={() => setOpen("force")}>
            {t.force}
          </Button>
        </span>
      </div>
      <ErrorPanel error={clearOne.error} />
      <DataTable
        label={t.outcomes}
        area="home"
        operation="listForcedOutcomes"
        list={(_query, options) => api.sandbox.listForcedOutcomes(options)}
        columns={columns}
        rowKey={(row) => row.outcomeId}
        empty={<Empty title={t.noOutcomes}>{t.noOutcomesHint}</Empty>}
      />
      {open === "force" && <ForceDialog onClose={() => setOpen(undefined)} />}
      {open === "clear" && (
        <ConfirmDialog
          title={t.clearAll}
          confirm={t.clearAll}
          danger
          reason="none"
          action={clearAll}
          onClose={() => setOpen(undefined)}
        >
          {t.clearAllHint}
        </ConfirmDialog>
      )}
    </div>
  );
}

function Milliseconds({ of }: { of: number | bigint | undefined }) {
  return <Figure value={of === undefined ? undefined : String(of)} unit="ms" />;
}
