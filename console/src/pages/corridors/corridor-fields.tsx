import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { useOrganisation } from "../../app/organisation";
import { useTexts } from "../../i18n/language";
import { AmountField } from "../../ui/amount-field";
import { Button, IconButton } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/form";
import { WholeField } from "../../ui/whole-field";
import { deliveryTypes } from "./codes";
import { newFee, type CorridorValues } from "./corridor-dialog";
import { texts } from "./texts";

type Of = { form: UseFormReturn<CorridorValues> };

export function CorridorFields({ form, isNew }: Of & { isNew: boolean }) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-6">
      {isNew && <KeyFields form={form} />}
      <FieldGroup title={t.deliveries}>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {deliveryTypes.map((type) => (
            <CheckField key={type} form={form} name={`types.${type}`} label={t[type]} />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup title={t.limits}>
        <FieldGrid>
          <AmountField form={form} name="minimumAmount" label={t.minimum} isRequired />
          <AmountField form={form} name="maximumAmount" label={t.maximum} isRequired />
        </FieldGrid>
        <CheckField form={form} name="enabled" label={t.enabled} />
      </FieldGroup>
      <FeeFields form={form} />
      <TextArea form={form} name="reason" label={t.reason} hint={t.reasonHint} rows={2} />
      <p className="text-muted">{t.approvalHint}</p>
    </div>
  );
}

function KeyFields({ form }: Of) {
  const t = useTexts(texts);
  const { currencies, countries } = useOrganisation();
  const options = currencies.map((value) => ({ value, label: value }));
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

function FeeFields({ form }: Of) {
  const t = useTexts(texts);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "fees" });
  return (
    <div className="flex flex-col gap-3.5">
      {fields.map((fee, index) => (
        <FieldGroup key={fee.id} title={t.feeOf(String(index + 1))}>
          <FieldGrid columns={3}>
            <TextField form={form} name={`fees.${index}.name`} label={t.feeName} isRequired />
            <AmountField form={form} name={`fees.${index}.fixed`} label={t.fixed} />
            <WholeField form={form} name={`fees.${index}.rateBps`} label={t.rateBps} />
            <AmountField form={form} name={`fees.${index}.minimum`} label={t.feeMinimum} />
            <AmountField form={form} name={`fees.${index}.maximum`} label={t.feeMaximum} />
            <WholeField form={form} name={`fees.${index}.taxBps`} label={t.taxBps} />
            <TextField form={form} name={`fees.${index}.chargeCategory`} label={t.chargeCategory} />
            <div className="flex items-end justify-between gap-3 self-end sm:col-span-2">
              <span className="text-xs text-muted">
                {fee.tiers.length > 0 || fee.types.length > 0 ? t.tiersKept : ""}
              </span>
              <IconButton icon={Trash2} label={t.removeFee(String(index + 1))} onClick={() => remove(index)} />
            </div>
          </FieldGrid>
        </FieldGroup>
      ))}
      <div>
        <Button icon={Plus} onClick={() => append(newFee())}>
          {t.addFee}
        </Button>
      </div>
    </div>
  );
}
