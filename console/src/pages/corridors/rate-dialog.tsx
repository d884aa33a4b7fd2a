import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { amountOf } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid } from "../../ui/field-grid";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { momentOrNull } from "./moments";
import { rateTexts } from "./rate-texts";
import type { Pair } from "./types";

type Body = Parameters<typeof api.rates.put>[0];

/** Puts a rate that holds from now or from a time to come. */
export function RateDialog({ pair, onClose }: { pair: Pair | undefined; onClose: () => void }) {
  const t = useTexts(rateTexts);
  const { currencies, timeZone } = useOrganisation();
  const options = plain(currencies);
  const form = useActionForm({
    operation: "putExchangeRate",
    run: (body: Body, given) => api.rates.put(body, given),
    stales: ["corridors", "approvals"],
    done: t.putDone,
    onDone: onClose,
    defaults: {
      sendCurrency: String(pair?.sendCurrency ?? ""),
      receivingCurrency: String(pair?.receivingCurrency ?? ""),
      exchangeRate: "",
      source: "",
      validFrom: "",
      validUntil: "",
    },
    toInput: ({ sendCurrency, receivingCurrency, exchangeRate, source, validFrom, validUntil }) =>
      ({
        sendCurrency,
        receivingCurrency,
        exchangeRate: amountOf(exchangeRate),
        source: source.trim(),
        validFrom: momentOrNull(validFrom, timeZone),
        validUntil: momentOrNull(validUntil, timeZone),
      }) as Body,
  });
  return (
    <FormDialog title={t.put} of={form} submit={t.save} onClose={onClose}>
      <FieldGrid>
        <SelectField form={form.form} name="sendCurrency" label={t.send} options={options} nothing="–" isRequired />
        <SelectField
          form={form.form}
          name="receivingCurrency"
          label={t.receive}
          options={options}
          nothing="–"
          isRequired
        />
        <AmountField form={form.form} name="exchangeRate" label={t.rate} isRequired />
        <TextField form={form.form} name="source" label={t.source} isRequired />
        <TextField
          form={form.form}
          name="validFrom"
          label={t.validFrom}
          type="datetime-local"
          hint={t.fromHint(timeZone)}
        />
        <TextField
          form={form.form}
          name="validUntil"
          label={t.validUntil}
          type="datetime-local"
          hint={t.untilHint(timeZone)}
        />
      </FieldGrid>
    </FormDialog>
  );
}
