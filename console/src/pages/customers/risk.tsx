import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Badge, StatusBadge } from "../../ui/badge";
import { DataTable } from "../../ui/data-table";
import { Bars } from "../../ui/facts";
import { Figure, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Customer } from "./types";

type Score = RowOf<typeof api.compliance.listRiskScores>;

export const toneOfProfile = (profile: Score["profile"]) =>
  profile === "LOW" ? ("good" as const) : profile === "HIGH" ? ("bad" as const) : ("warn" as const);

/** How their score came about, the newest first. */
export function RiskHistory({ customer: { customerId } }: { customer: Customer }) {
  const t = useTexts(texts);
  const columns: readonly Column<Score>[] = [
    { header: t.when, cell: (row) => <Time at={row.at} /> },
    { header: t.riskScore, isNumber: true, cell: (row) => <Figure value={row.score} /> },
    { header: t.riskProfile, cell: (row) => <Badge tone={toneOfProfile(row.profile)}>{inWords(row.profile)}</Badge> },
    { header: t.decision, cell: (row) => <StatusBadge status={row.decision} /> },
    { header: t.cause, cell: (row) => row.cause && inWords(row.cause) },
    { header: t.policyVersion, isNumber: true, cell: (row) => <Figure value={row.policyVersion} /> },
    {
      header: t.factors,
      cell: (row) => (
        <details>
          <summary className="link">{t.explanation}</summary>
          <div className="min-w-72 pt-2">
            <RiskFactors factors={row.factors} />
          </div>
        </details>
      ),
    },
  ];
  return (
    <DataTable
      label={t.risk}
      area="customers"
      operation="listRiskScores"
      of={customerId}
      list={(query, options) => api.compliance.listRiskScores(customerId, query, options)}
      columns={columns}
      rowKey={(row) => String(row.sequence)}
      empty={<Empty title={t.noScores}>{t.noScoresHint}</Empty>}
    />
  );
}

/** What made the score, each with its points and in words. */
export function RiskFactors({ factors }: { factors: Score["factors"] }) {
  const most = Math.max(1, ...factors.map(({ points }) => points));
  return (
    <div className="flex flex-col gap-3">
      <Bars
        bars={factors.map(({ name, points }) => ({
          label: inWords(name),
          share: points / most,
          text: points,
          tone: points === 0 ? "good" : "warn",
        }))}
      />
      <ul className="flex flex-col gap-1 text-xs text-muted">
        {factors.map(({ name, explanation }) => (
          <li key={name}>{explanation}</li>
        ))}
      </ul>
    </div>
  );
}
