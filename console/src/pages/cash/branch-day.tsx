import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { api, type AnswerOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { Badge, StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Link } from "../../ui/link";
import { Stack } from "../../ui/page";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { branchesQuery } from "./branch-field";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";

type Day = AnswerOf<typeof api.cash.readBranchDay>;
type Sums = Pick<Day["totals"][number], "currency" | "opening" | "lines" | "closing">;

/** The end-of-day pack of a branch: what was there, what moved, and that the ledger has it so. */
export function BranchDay() {
  const t = useTexts(tillTexts);
  const filters = useFilters(["branchCode", "date"]);
  const query = filters.values;
  const { data: branches = [] } = useQuery(branchesQuery());
  const day = useQuery(read("wallets", "readBranchDay", query, (options) => api.cash.readBranchDay(query, options)));
  const file = useAction({
    operation: "branchDayAsCsv",
    run: async () => {
      const name = `cash-${query.branchCode ?? "house"}-${day.data?.date ?? ""}.csv`;
      return saveFile(await api.cash.branchDayAsCsv(query), name, "text/csv");
    },
  });
  return (
    <Stack>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={filters}
          fields={[
            {
              name: "branchCode",
              label: t.branch,
              kind: "select",
              nothing: t.house,
              options: branches.map(({ code, name }) => ({ value: code, label: name })),
            },
            { name: "date", label: t.dayOf, kind: "date" },
          ]}
        />
        <Button icon={Download} busy={file.isRunning} onClick={() => void file.run()}>
          {t.exportDay}
        </Button>
      </div>
      <ErrorPanel error={file.error} />
      <Loaded query={day} lines={8}>
        {(found) => <Pack day={found} />}
      </Loaded>
    </Stack>
  );
}

function Pack({ day }: { day: Day }) {
  const t = useTexts(tillTexts);
  return (
    <Stack>
      <p role="status" className={day.allClosed ? "text-good" : "text-warn"}>
        {day.date}: {day.allClosed ? t.allClosed : t.someOpen}
      </p>
      <Totals day={day} />
      <Tills day={day} />
      <Vaults day={day} />
      <InTransit day={day} />
    </Stack>
  );
}

const money = (currency: string, amount: string | undefined) => <Money amount={amount} currency={currency} />;

/** Opening, what moved by its kind, closing: one below the other. */
function Moved({ of: { currency, opening, lines, closing } }: { of: Sums }) {
  const t = useTexts(tillTexts);
  const rows = [
    { label: t.opening, amount: opening },
    ...lines.map(({ kind, count, total }) => ({ label: `${inWords(kind)} (${count})`, amount: total })),
  ];
  return (
    <dl className="grid min-w-56 grid-cols-[1fr_auto] gap-x-4">
      {rows.map(({ label, amount }) => (
        <div key={label} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{label}</dt>
          <dd className="text-right">{money(currency, amount)}</dd>
        </div>
      ))}
      <div className="col-span-2 grid grid-cols-subgrid border-t border-line font-semibold">
        <dt>{t.closing}</dt>
        <dd className="text-right">{money(currency, closing)}</dd>
      </div>
    </dl>
  );
}

function AsLedger({ closing, ledger, currency }: { closing: string; ledger: string; currency: string }) {
  const t = useTexts(tillTexts);
  return (
    <span className="flex flex-col items-end gap-0.5">
      {money(currency, ledger)}
      {closing === ledger ? <Badge tone="good">{t.agrees}</Badge> : <Badge tone="bad">{t.differs}</Badge>}
    </span>
  );
}

function Totals({ day }: { day: Day }) {
  const t = useTexts(tillTexts);
  const columns: readonly Column<Day["totals"][number]>[] = [
    { header: t.currency, cell: (row) => row.currency },
    { header: t.amount, cell: (row) => <Moved of={row} /> },
    { header: t.inTills, isNumber: true, cell: (row) => money(row.currency, row.inTills) },
    { header: t.inVault, isNumber: true, cell: (row) => money(row.currency, row.inVault) },
    { header: t.inTransit, isNumber: true, cell: (row) => money(row.currency, row.inTransit) },
    { header: t.ledger, isNumber: true, cell: (row) => <AsLedger {...row} /> },
  ];
  return (
    <Section title={t.totals} flush>
      <Rows
        label={t.totals}
        rows={day.totals}
        columns={columns}
        rowKey={({ currency }) => currency}
        empty={t.nothingOfDay}
      />
    </Section>
  );
}

function Tills({ day }: { day: Day }) {
  const t = useTexts(tillTexts);
  const cash = useTexts(texts);
  const columns: readonly Column<Day["tills"][number]>[] = [
    {
      header: t.till,
      cell: ({ till }) => (
        <Link to={`/till/${till.tillId}`} className="link">
          {till.currency}
        </Link>
      ),
    },
    { header: cash.cashier, cell: ({ till }) => <Person id={till.cashierId} /> },
    { header: t.status, cell: ({ till }) => <StatusBadge status={till.status} /> },
    { header: t.amount, cell: (row) => <Moved of={row} /> },
    { header: cash.counted, isNumber: true, cell: ({ till }) => money(till.currency, till.counted) },
    { header: cash.difference, isNumber: true, cell: ({ till }) => money(till.currency, till.difference) },
    { header: t.reason, cell: ({ till }) => till.reason },
  ];
  return (
    <Section title={cash.tills} flush>
      <Rows
        label={cash.tills}
        rows={day.tills}
        columns={columns}
        rowKey={({ till }) => till.tillId}
        empty={t.nothingOfDay}
      />
    </Section>
  );
}

function Vaults({ day }: { day: Day }) {
  const t = useTexts(tillTexts);
  const columns: readonly Column<Day["vaults"][number]>[] = [
    { header: t.currency, cell: (row) => row.currency },
    { header: t.amount, cell: (row) => <Moved of={row} /> },
    { header: t.ledger, isNumber: true, cell: (row) => <AsLedger {...row} /> },
  ];
  return (
    <Section title={t.vault} flush>
      <Rows
        label={t.vault}
        rows={day.vaults}
        columns={columns}
        rowKey={({ currency }) => currency}
        empty={t.nothingOfDay}
      />
    </Section>
  );
}

function InTransit({ day }: { day: Day }) {
  const t = useTexts(tillTexts);
  if (day.inTransit.length === 0) return null;
  const columns: readonly Column<Day["inTransit"][number]>[] = [
    { header: t.toVault, cell: (row) => row.toBranchCode ?? t.house },
    { header: t.amount, isNumber: true, cell: (row) => money(row.currency, row.amount) },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
  ];
  return (
    <Section title={t.inTransit} flush>
      <Rows
        label={t.inTransit}
        rows={day.inTransit}
        columns={columns}
        rowKey={({ orderId }) => orderId}
        empty={t.nothingOfDay}
      />
    </Section>
  );
}
