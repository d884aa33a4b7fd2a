import type { UseFormReturn } from "react-hook-form";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/form";
import { plain } from "../../ui/options";
import type { CorridorValues } from "./corridor-values";
import { DeliveryFields } from "./delivery-fields";
import { FeeFields } from "./fee-fields";
import { OtherFeeFields } from "./other-fee-fields";
import { texts } from "./texts";

type Of = { form: UseFormReturn<CorridorValues> };

export function CorridorFields({ form, isNew }: Of & { isNew: boolean }) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-6">
      {isNew && <KeyFields form={form} />}
      <DeliveryFields form={form} />
      <FieldGroup title={t.limits}>
        <FieldGrid>
          <AmountField form={form} name="minimumAmount" label={t.minimum} isRequired />
          <AmountField form={form} name="maximumAmount" label={t.maximum} isRequired />
        </FieldGrid>
        <CheckField form={form} name="enabled" label={t.enabled} />
      </FieldGroup>
      <FeeFields form={form} />
      <OtherFeeFields form={form} />
      <TextArea form={form} name="reason" label={t.reason} hint={t.reasonHint} rows={2} />
      <p className="text-muted">{t.approvalHint}</p>
    </div>
  );
}

function KeyFields({ form }: Of) {
  const t = useTexts(texts);
  const { currencies, countries } = useOrganisation();
  const options = plain(currencies);
  return (
    <FieldGroup title={t.corridor}>
      <FieldGrid>
        <TextField
          form={form}
          name="originCountry"
          label={t.originCountry}
          hint={t.countryHint}
          list={countries}
          isRequired
        />
        <SelectField form={form} name="sendCurrency" label={t.sendCurrency} options={options} nothing="–" isRequired />
        <TextField
          form={form}
          name="receivingCountry"
          label={t.receivingCountry}
          hint={t.countryHint}
          list={countries}
          isRequired
        />
        <SelectField
          form={form}
          name="receivingCurrency"
          label={t.receivingCurrency}
          options={options}
          nothing="–"
          isRequired
        />
      </FieldGrid>
    </FieldGroup>
  );
}
