import { Plus } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useMay, useUser } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Figure } from "../../ui/figures";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { texts } from "./texts";

type Markup = RowOf<typeof api.markups.list>;
type NewMarkup = Parameters<typeof api.markups.put>[0];

/**
 * What is added to the middle rate, and to the fees: by the organisation,
 * and by agents up to its ceiling.
 */
export default function Markups() {
  const t = useTexts(texts);
  const may = useMay();
  const [changed, setChanged] = useState<Markup | "new">();
  const { id, role } = useUser();
  const columns: readonly Column<Markup>[] = [
    { header: t.whose, cell: (row) => <Owner owner={row.owner} /> },
    {
      header: t.pair,
      cell: (row) => (row.sendCurrency ? `${row.sendCurrency} → ${row.receivingCurrency ?? ""}` : t.everyPair),
    },
    { header: t.onRate, isNumber: true, cell: (row) => <Figure value={row.rateBps} unit="bps" /> },
    { header: t.onFee, isNumber: true, cell: (row) => <Figure value={row.feeBps} unit="bps" /> },
    { header: t.version, isNumber: true, cell: (row) => <Figure value={row.version} /> },
    {
      header: t.actions,
      cell: (row) => {
        const isOwn = role === "MANAGER" ? ["TENANT", "AGENT_LIMIT"].includes(row.owner) : row.owner === id;
        return isOwn && <Button onClick={() => setChanged(row)}>{t.change}</Button>;
      },
    },
  ];
  return (
    <Page
      title={t.markups}
      about={role === "MANAGER" ? t.markupsAbout : t.ownMarkupsAbout}
      actions={
        may("putMarkup") && (
          <Button variant="primary" icon={Plus} onClick={() => setChanged("new")}>
            {t.setMarkup}
          </Button>
        )
      }
    >
      <DataTable
        label={t.markups}
        area="corridors"
        operation="listMarkups"
        list={(_query, options) => api.markups.list(options)}
        columns={columns}
        rowKey={(row) => [row.owner, row.sendCurrency, row.receivingCurrency].join(" ")}
        empty={<Empty title={t.noMarkups}>{t.noMarkupsHint}</Empty>}
      />
      {changed && (
        <MarkupDialog
          markup={changed === "new" ? undefined : changed}
          isManager={role === "MANAGER"}
          onClose={() => setChanged(undefined)}
        />
      )}
    </Page>
  );
}

function Owner({ owner }: { owner: string }) {
  const t = useTexts(texts);
  if (owner === "TENANT") return <Badge tone="accent">{t.organisation}</Badge>;
  if (owner === "AGENT_LIMIT") return <Badge tone="warn">{t.agentLimit}</Badge>;
  return <Person id={owner} />;
}

interface DialogProps {
  markup: Markup | undefined;
  isManager: boolean;
  onClose: () => void;
}

function MarkupDialog({ markup, isManager, onClose }: DialogProps) {
  const t = useTexts(texts);
  const { currencies } = useOrganisation();
  const form = useActionForm({
    operation: "putMarkup",
    run: (body: NewMarkup, options) => api.markups.put(body, options),
    stales: ["corridors"],
    done: t.markupSet,
    onDone: onClose,
    defaults: {
      owner: markup?.owner ?? "TENANT",
      sendCurrency: markup?.sendCurrency ?? "",
      receivingCurrency: markup?.receivingCurrency ?? "",
      rateBps: String(markup?.rateBps ?? ""),
      feeBps: String(markup?.feeBps ?? "0"),
    },
    keep: true,
    toInput: ({ owner, sendCurrency, receivingCurrency, rateBps, feeBps }) =>
      ({
        ...(isManager && { owner }),
        ...(sendCurrency && { sendCurrency }),
        ...(receivingCurrency && { receivingCurrency }),
        rateBps: Number(rateBps),
        ...(feeBps && { feeBps: Number(feeBps) }),
      }) as NewMarkup,
  });
  const wholeNumber = (text: string) => (/^\d{1,5}$/.test(text) ? undefined : t.notWhole);
  const options = plain(currencies);
  return (
    <FormDialog title={t.setMarkup} of={form} submit={t.save} onClose={onClose}>
      {isManager && (
        <SelectField
          form={form.form}
          name="owner"
          label={t.whose}
          hint={t.ownerHint}
          options={[
            { value: "TENANT", label: t.organisation },
            { value: "AGENT_LIMIT", label: t.agentLimit },
          ]}
        />
      )}
      <SelectField form={form.form} name="sendCurrency" label={t.sendCurrency} nothing={t.every} options={options} />
      <SelectField
        form={form.form}
        name="receivingCurrency"
        label={t.receivingCurrency}
        nothing={t.every}
        options={options}
      />
      <TextField
        form={form.form}
        name="rateBps"
        label={t.onRate}
        hint={t.bpsHint}
        inputMode="numeric"
        check={wholeNumber}
        isRequired
      />
      <TextField
        form={form.form}
        name="feeBps"
        label={t.onFee}
        hint={t.feeHint}
        inputMode="numeric"
        check={wholeNumber}
      />
    </FormDialog>
  );
}
