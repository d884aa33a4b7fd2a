import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { endOfDay, startOfDay, today } from "../../lib/zoned-day";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";

interface Wanted {
  from: string;
  to: string;
  format: string;
}

const types: Readonly<Record<string, string>> = { csv: "text/csv", jsonl: "application/x-ndjson" };

/** The transfers of some days as a file. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const form = useActionForm({
    operation: "exportLedger",
    run: async ({ from, to, format }: Wanted, options) => {
      const query = {
        format: format as "csv" | "jsonl",
        ...(from && { from: startOfDay(from, timeZone) }),
        ...(to && { to: endOfDay(to, timeZone) }),
      };
      const file = await api.ledger.export(query, options);
      return saveFile(file, `ledger-${from || "begin"}-${to || today(timeZone)}.${format}`, types[format] ?? "");
    },
    done: t.exported,
    onDone: onClose,
    defaults: { from: today(timeZone), to: today(timeZone), format: "csv" },
    toInput: (values: Wanted) => values,
  });
  return (
    <FormDialog title={t.exportTitle} of={form} submit={t.export} onClose={onClose}>
      <p className="text-muted">{t.exportHint}</p>
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        <TextField form={form.form} name="from" type="date" label={t.from} hint={timeZone} />
        <TextField form={form.form} name="to" type="date" label={t.until} hint={timeZone} />
      </div>
      <SelectField
        form={form.form}
        name="format"
        label={t.format}
        options={[
          { value: "csv", label: "CSV" },
          { value: "jsonl", label: "JSON Lines" },
        ]}
      />
    </FormDialog>
  );
}
