import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { StatusBadge, type Tone } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Id, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
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
      load={(query, options) =>
        api.plugins.listCalls(installationId, query as Parameters<typeof api.plugins.listCalls>[1], options).page()
      }
      columns={[
        { key: "at", header: t.at, cell: (row) => <Time at={row.at} seconds /> },
        { key: "operation", header: t.operation, cell: (row) => row.operation },
        { key: "reference", header: t.reference, cell: (row) => <Id value={row.reference} /> },
        {
          key: "outcome",
          header: t.outcome,
          cell: (row) => (
            <StatusBadge
              status={row.outcome}
              tone={tones[row.outcome] ?? "neutral"}
              label={row.outcome in t ? t[row.outcome as "OK"] : undefined}
            />
          ),
        },
        { key: "status", header: t.answer, isNumber: true, cell: (row) => row.status },
        { key: "took", header: t.tookMs, isNumber: true, cell: (row) => row.durationMs },
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
      load={(query, options) =>
        api.plugins.listChanges(installationId, query as Parameters<typeof api.plugins.listChanges>[1], options).page()
      }
      columns={[
        { key: "at", header: t.at, cell: (row) => <Time at={row.at} /> },
        { key: "actor", header: t.who, cell: (row) => <Person id={row.actor} /> },
        { key: "action", header: t.what, cell: (row) => <span className="font-mono text-xs">{row.action}</span> },
        { key: "detail", header: t.detail, cell: (row) => row.detail },
        { key: "reason", header: t.reason, cell: (row) => row.reason },
      ]}
      rowKey={(row) => row.changeId}
      empty={<Empty title={t.noChanges} />}
    />
  );
}
