import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { StatusBadge, type Tone } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Id, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import { texts } from "./texts";

const tones: Record<string, Tone> = { OK: "good", REFUSED: "bad", UNKNOWN: "warn" };

/** The last 1,000 calls to the partner. */
export function CallsTable({ installationId }: { installationId: string }) {
  const t = useTexts(texts);
  return (
    <DataTable
      label={t.calls}
      area="plugins"
      operation="listPluginCalls"
      of={installationId}
      list={(query, options) => api.plugins.listCalls(installationId, query, options)}
      columns={[
        { header: t.at, cell: (row) => <Time at={row.at} seconds /> },
        { header: t.operation, cell: (row) => row.operation },
        { header: t.reference, cell: (row) => <Id value={row.reference} /> },
        {
          header: t.outcome,
          cell: (row) => (
            <StatusBadge
              status={row.outcome}
              tone={tones[row.outcome] ?? "neutral"}
              label={row.outcome in t ? t[row.outcome as "OK"] : undefined}
            />
          ),
        },
        { header: t.answer, isNumber: true, cell: (row) => row.status },
        { header: t.tookMs, isNumber: true, cell: (row) => row.durationMs },
      ]}
      rowKey={(row) => row.callId}
      empty={<Empty title={t.noCalls}>{t.noCallsHint}</Empty>}
    />
  );
}

/** Who changed what, and why. */
export function ChangesTable({ installationId }: { installationId: string }) {
  const t = useTexts(texts);
  return (
    <DataTable
      label={t.changes}
      area="plugins"
      operation="listPluginChanges"
      of={installationId}
      list={(query, options) => api.plugins.listChanges(installationId, query, options)}
      columns={[
        { header: t.at, cell: (row) => <Time at={row.at} /> },
        { header: t.who, cell: (row) => <Person id={row.actor} /> },
        { header: t.what, cell: (row) => <span className="font-mono text-xs">{row.action}</span> },
        { header: t.detail, cell: (row) => row.detail },
        { header: t.reason, cell: (row) => row.reason },
      ]}
      rowKey={(row) => row.changeId}
      empty={<Empty title={t.noChanges} />}
    />
  );
}
