import { decimal } from "@manilla/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { texts } from "./texts";

type Limit = RowOf<typeof api.cash.listCashLimits>;
type Wanted = Parameters<typeof api.cash.setCashLimit>[0];

const parts = ["perCashIn", "perDay", "till", "fourEyesAbove", "differenceAbove"] as const;

/** What cashiers take in at most; another manager approves a change. */
export function CashLimits() {
  const t = useTexts(texts);
  const [changing, setChanging] = useState<Limit | "new">();
  const labels = partLabels(t);
  const columns: readonly Column<Limit>[] = [
    { header: t.cashier, cell: (row) => (row.cashierId ? <Person id={row.cashierId} /> : t.everyDesk) },
    { header: t.currency, cell: (row) => row.currency },
    ...parts.map((part) => ({
      key: part,
      header: labels[part],
      isNumber: true,
      cell: (row: Limit) => <Money amount={row[part]} currency={row.currency} />,
    })),
    { header: t.action, cell: (row) => <Button onClick={() => setChanging(row)}>{t.change}</Button> },
  ];
  return (
    <Stack>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">{t.limitsAbout}</p>
        <Button icon={Plus} onClick={() => setChanging("new")}>
          {t.newLimit}
        </Button>
      </div>
      <DataTable
        label={t.limits}
        area="wallets"
        operation="listCashLimits"
        list={(_query, options) => api.cash.listCashLimits(options)}
        columns={columns}
        rowKey={(row) => `${row.cashierId ?? ""} ${row.currency}`}
        empty={<Empty title={t.noLimits}>{t.noLimitsHint}</Empty>}
      />
      {changing && (
        <LimitDialog {...(changing !== "new" && { limit: changing })} onClose={() => setChanging(undefined)} />
      )}
    </Stack>
  );
}

type PartTexts = Record<"limitPerCashIn" | "limitPerDay" | "limitTill" | "limitFourEyes" | "limitDifference", string>;

function partLabels(t: PartTexts): Readonly<Record<(typeof parts)[number], string>> {
  return {
    perCashIn: t.limitPerCashIn,
    perDay: t.limitPerDay,
    till: t.limitTill,
    fourEyesAbove: t.limitFourEyes,
    differenceAbove: t.limitDifference,
  };
}

function LimitDialog({ limit, onClose }: { limit?: Limit; onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const labels = partLabels(t);
  const form = useActionForm({
    operation: "setCashLimit",
    run: (wanted: Wanted, options) => api.cash.setCashLimit(wanted, options),
    stales: ["wallets", "approvals", "home"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.limitAsked : t.limitSet),
    onDone: onClose,
    defaults: {
      cashierId: limit?.cashierId ?? "",
      currency: (limit?.currency ?? baseCurrency) as string,
      perCashIn: limit?.perCashIn ?? "",
      perDay: limit?.perDay ?? "",
      till: limit?.till ?? "",
      fourEyesAbove: limit?.fourEyesAbove ?? "",
      differenceAbove: limit?.differenceAbove ?? "",
      reason: "",
    },
    toInput: (values): Wanted => ({
      currency: values.currency as Wanted["currency"],
      ...(values.cashierId.trim() && { cashierId: values.cashierId.trim() }),
      ...Object.fromEntries(
        parts.flatMap((part) => {
          const exact = typedAmount(values[part]);
          return exact === undefined ? [] : [[part, decimal(exact)]];
        }),
      ),
      reason: values.reason.trim(),
    }),
  });
  return (
    <FormDialog title={limit ? t.changeLimit : t.newLimit} of={form} submit={t.askLimit} onClose={onClose}>
      <p className="text-muted">{t.limitHint}</p>
      <TextField
        form={form.form}
        name="cashierId"
        label={t.cashierId}
        hint={t.cashierIdHint}
        readOnly={limit !== undefined}
      />
      <SelectField
        form={form.form}
        name="currency"
        label={t.currency}
        options={plain(limit ? [limit.currency] : currencies)}
      />
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        {parts.map((part) => (
          <AmountField key={part} form={form.form} name={part} label={labels[part]} />
        ))}
      </div>
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}
