import { Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useAction } from "../../lib/use-action";
import { Badge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable, type Column } from "../../ui/data-table";
import { Figure, Id } from "../../ui/figures";
import { Empty, ErrorPanel } from "../../ui/panels";
import { ForceDialog } from "./force-dialog";
import { texts } from "./texts";

type Outcome = Awaited<ReturnType<typeof api.sandbox.listForcedOutcomes>>[number];

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
    { key: "of", header: t.of, cell: (row) => inWords(row.of) },
    { key: "outcome", header: t.outcome, cell: (row) => <Badge tone="warn">{inWords(row.outcome)}</Badge> },
    { key: "subject", header: t.subject, cell: (row) => (row.subject ? <Id value={row.subject} /> : t.nextOne) },
    {
      key: "times",
      header: t.times,
      isNumber: true,
      cell: (row) => (row.times === undefined ? t.untilCleared : <Figure value={String(row.times)} />),
    },
    { key: "delay", header: t.delay, isNumber: true, cell: (row) => <Milliseconds of={row.delayMs} /> },
    { key: "settle", header: t.settle, isNumber: true, cell: (row) => <Milliseconds of={row.settleMs} /> },
    { key: "reason", header: t.reason, cell: (row) => row.reason },
    {
      key: "clear",
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
          <Button icon={Plus} look="primary" onClick={() => setOpen("force")}>
            {t.force}
          </Button>
        </span>
      </div>
      <ErrorPanel error={clearOne.error} />
      <DataTable
        label={t.outcomes}
        area="home"
        operation="listForcedOutcomes"
        load={(_query, options) => api.sandbox.listForcedOutcomes(options).then((items) => ({ items }))}
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
