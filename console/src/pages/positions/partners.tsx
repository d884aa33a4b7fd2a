import { BellRing } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { IconButton } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Figure, Money, None } from "../../ui/figures";
import { TextField, useActionForm } from "../../ui/form";
import { FilterBar } from "../../ui/filters";
import { FormDialog } from "../../ui/form-dialog";
import { Link } from "../../ui/link";
import { worded } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { uiTexts } from "../../ui/texts";
import { accountPage } from "../ledger/paths";
import { texts } from "./texts";

const codes = [
  "partner_settlement",
  "card_settlement",
  "lending_card_settlement",
  "bank_settlement",
  "lending_bank_settlement",
  "merchant_settlement",
];

type Partner = RowOf<typeof api.books.listPartnerBalances>;

/** What partners, acquirers, banks and billers hold or are owed, an account each. */
export function Partners() {
  const t = useTexts(texts);
  const may = useMay();
  const filters = useFilters(["code"]);
  const [shown, setShown] = useState<Partner>();
  const columns: readonly Column<Partner>[] = [
    {
      header: t.partner,
      cell: ({ name, code }) => (
        <div className="min-w-36">
          {name}
          <div className="font-mono text-xs font-normal text-muted">{code}</div>
        </div>
      ),
    },
    { header: t.currency, cell: ({ currency }) => currency },
    { header: t.owed, isNumber: true, cell: ({ owed }) => <Money amount={owed} /> },
    { header: t.prefunded, isNumber: true, cell: ({ prefunded }) => <Money amount={prefunded} /> },
    { header: t.inFlight, isNumber: true, cell: ({ inFlight }) => <Money amount={inFlight} /> },
    { header: t.available, isNumber: true, cell: ({ available }) => <Money amount={available} /> },
    {
      header: t.daysLeft,
      isNumber: true,
      cell: ({ daysLeft }) => (daysLeft === undefined ? <None /> : <Figure value={String(daysLeft)} />),
    },
    {
      header: t.alarm,
      isNumber: true,
      cell: (row) => (
        <span className="inline-flex items-center gap-1">
          {row.alarm?.isLow === true && <Badge tone="bad">{t.low}</Badge>}
          {row.alarm?.below === undefined ? <None /> : <Money amount={row.alarm.below} />}
          {may("putPartnerAlarm") && (
            <IconButton
              icon={BellRing}
              label={t.setAlarmOf(row.name)}
              className="-my-2"
              onClick={() => setShown(row)}
            />
          )}
        </span>
      ),
    },
    {
      header: t.doIt,
      cell: ({ code, accountId }) =>
        code === "partner_settlement" && (
          <Link to={`/settlements?account=${encodeURIComponent(accountId)}`} className="link">
            {t.settlements}
          </Link>
        ),
    },
  ];
  return (
    <Stack>
      <FilterBar filters={filters} fields={[{ name: "code", label: t.kind, kind: "select", options: worded(codes) }]} />
      <DataTable
        label={t.partners}
        area="books"
        operation="listPartnerBalances"
        list={api.books.listPartnerBalances}
        filters={filters}
        columns={columns}
        rowKey={({ accountId }) => accountId}
        rowLink={({ accountId }) => accountPage(accountId)}
        empty={<Empty title={t.noPartners}>{t.noPartnersHint}</Empty>}
      />
      {shown && <AlarmDialog partner={shown} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}

function AlarmDialog({ partner, onClose }: { partner: Partner; onClose: () => void }) {
  const t = useTexts(texts);
  const words = useTexts(uiTexts);
  const language = useLanguage();
  const { accountId, name, currency, alarm } = partner;
  // Below zero is how much may be owed.
  const exact = (text: string) => {
    const amount = typedAmount(text.trim().replace(/^[-\u2212]/, ""), language);
    return amount === undefined ? undefined : (/^[-\u2212]/.test(text.trim()) ? "-" : "") + amount;
  };
  const form = useActionForm({
    operation: "putPartnerAlarm",
    run: (below: string | null, options) => api.books.putPartnerAlarm(accountId, { below }, options),
    stales: ["books"],
    done: t.isSet,
    onDone: onClose,
    defaults: { below: alarm?.below ?? "" },
    toInput: (values) => (values.below.trim() === "" ? null : (exact(values.below) ?? values.below)),
  });
  return (
    <FormDialog title={t.setAlarmOf(`${name} · ${currency}`)} of={form} submit={t.setAlarm} onClose={onClose}>
      <TextField
        form={form.form}
        name="below"
        label={t.alarm}
        hint={t.alarmHint}
        inputMode="decimal"
        check={(text) => (exact(text) === undefined ? words.notAmount : undefined)}
      />
    </FormDialog>
  );
}
