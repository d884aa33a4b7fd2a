import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { PlanDialog } from "./plan-dialog";
import { texts } from "./texts";
import type { Plan } from "./types";

/** What agents earn: the newest version of each plan. */
export function Plans() {
  const t = useTexts(texts);
  const [putting, setPutting] = useState<Plan | "new">();
  const columns: readonly Column<Plan>[] = [
    {
      header: t.name,
      cell: (row) => (
        <>
          {row.name} <span className="text-muted">{row.planId}</span>
        </>
      ),
    },
    { header: t.version, isNumber: true, cell: (row) => row.version },
    { header: t.currency, cell: (row) => row.currency },
    {
      header: t.rules,
      cell: (row) => (
        <ul>
          {row.rules.map((rule, index) => (
            <li key={index}>
              <RuleText of={rule} currency={row.currency} />
            </li>
          ))}
        </ul>
      ),
    },
    {
      header: t.split,
      cell: (row) => row.split.map(({ party, bps }) => `${party} ${bps}`).join(", ") || "AGENT",
    },
    { header: t.who, cell: (row) => <Person id={row.putBy} /> },
    { header: t.since, cell: (row) => <Time at={row.putAt} /> },
    { header: t.doIt, cell: (row) => <Button onClick={() => setPutting(row)}>{t.newVersion}</Button> },
  ];
  return (
    <Stack>
      <div className="flex justify-end">
        <Button icon={Plus} onClick={() => setPutting("new")}>
          {t.newPlan}
        </Button>
      </div>
      <DataTable
        label={t.plans}
        area="wallets"
        operation="listCommissionPlans"
        list={api.agents.listCommissionPlans}
        columns={columns}
        rowKey={({ planId }) => planId}
        empty={<Empty title={t.noPlans}>{t.noPlansHint}</Empty>}
      />
      {putting && <PlanDialog {...(putting !== "new" && { before: putting })} onClose={() => setPutting(undefined)} />}
    </Stack>
  );
}

/** A rule in a line: "the fee: 4000 bps, at least 0.50". */
function RuleText({ of, currency }: { of: Plan["rules"][number]; currency: string }) {
  const t = useTexts(texts);
  const { basis, fixed, bps, tiers, tierKind, minimum, maximum } = of;
  const counted =
    fixed !== undefined
      ? `${fixed} ${currency}`
      : tiers.length > 0
        ? `${tiers.map((one) => `${one.upTo ?? "…"}: ${one.bps}`).join(" · ")} bps, ${t[tierKind as "SLAB"]}`
        : `${bps ?? 0} bps`;
  const bounds = [minimum && `${t.minimum} ${minimum}`, maximum && `${t.maximum} ${maximum}`].filter(Boolean);
  return (
    <>
      <span className="text-muted">{t[basis as "FEE"]}</span> {[counted, ...bounds].join(", ")}
    </>
  );
}
