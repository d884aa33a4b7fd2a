import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import {
  investmentCompoundings,
  investmentDayCounts,
  investmentPayouts,
  investmentPenalties,
  investmentProductStatuses,
  reinvestments,
} from "../../generated/enums";
import { dayCountText } from "../../lib/day-count";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Button, IconButton } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { SelectField, TextArea, TextField } from "../../ui/form";
import { plain, worded } from "../../ui/options";
import { WholeField } from "../../ui/whole-field";
import { productTexts, type PeriodCode } from "./product-texts";
import type { ProductValues } from "./product-values";

type Of = { form: UseFormReturn<ProductValues> };

export function ProductFields({ form }: Of) {
  const t = useTexts(productTexts);
  const { currencies } = useOrganisation();
  return (
    <div className="flex flex-col gap-6">
      <FieldGrid columns={3}>
        <TextField form={form} name="name" label={t.name} isRequired />
        <SelectField form={form} name="currency" label={t.currency} options={plain(currencies)} />
        <SelectField form={form} name="status" label={t.status} options={worded(investmentProductStatuses)} />
      </FieldGrid>
      <TextArea form={form} name="description" label={t.description} rows={2} />
      <FieldGroup title={t.units}>
        <FieldGrid>
          <AmountField form={form} name="unitPrice" label={t.unitPrice} isRequired />
          <WholeField form={form} name="unitsOffered" label={t.unitsOffered} isRequired />
          <WholeField form={form} name="minimumUnits" label={t.minimumUnits} />
          <WholeField form={form} name="maximumUnitsPerCustomer" label={t.maximumUnits} />
        </FieldGrid>
      </FieldGroup>
      <TierFields form={form} />
      <InterestFields form={form} />
      <TermFields form={form} />
    </div>
  );
}

function TierFields({ form }: Of) {
  const t = useTexts(productTexts);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "tiers" });
  return (
    <FieldGroup title={t.tiers}>
      <p className="text-muted">{t.tiersHint}</p>
      {fields.map(({ id }, index) => (
        <div key={id} className="grid grid-cols-[1fr_1fr_auto] items-end gap-x-3">
          <AmountField form={form} name={`tiers.${index}.from`} label={t.tierFromOf(String(index + 1))} isRequired />
          <AmountField
            form={form}
            name={`tiers.${index}.ratePercent`}
            label={t.ratePercentOf(String(index + 1))}
            isRequired
          />
          <IconButton
            icon={Trash2}
            label={t.removeTier(String(index + 1))}
            disabled={fields.length === 1}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => append({ from: "", ratePercent: "" })}>
          {t.addTier}
        </Button>
      </div>
    </FieldGroup>
  );
}

function InterestFields({ form }: Of) {
  const t = useTexts(productTexts);
  const periods = (codes: readonly PeriodCode[]) => codes.map((value) => ({ value, label: t[value] }));
  return (
    <FieldGroup title={t.interest}>
      <FieldGrid>
        <SelectField form={form} name="compounding" label={t.compounding} options={periods(investmentCompoundings)} />
        <SelectField
          form={form}
          name="dayCount"
          label={t.dayCount}
          options={investmentDayCounts.map((value) => ({
            value,
            label: dayCountText(value),
          }))}
        />
        <SelectField form={form} name="payout" label={t.payout} options={periods(investmentPayouts)} />
        <SelectField form={form} name="reinvestment" label={t.reinvestment} options={worded(reinvestments)} />
      </FieldGrid>
    </FieldGroup>
  );
}

function TermFields({ form }: Of) {
  const t = useTexts(productTexts);
  const kind = form.watch("penaltyKind");
  return (
    <FieldGroup title={t.term}>
      <FieldGrid>
        <WholeField form={form} name="termMonths" label={t.termMonths} hint={t.termHint} />
        <WholeField form={form} name="termDays" label={t.termDays} hint={t.termHint} />
        <WholeField form={form} name="lockInDays" label={t.lockInDays} />
        <WholeField form={form} name="withholdingTaxBps" label={t.taxBps} />
        <SelectField form={form} name="penaltyKind" label={t.penaltyKind} options={worded(investmentPenalties)} />
        {(kind === "INTEREST_SHARE" || kind === "PRINCIPAL_SHARE") && (
          <WholeField form={form} name="penaltyBps" label={t.penaltyBps} isRequired />
        )}
        {kind === "RATE_REDUCTION" && (
          <AmountField form={form} name="penaltyPercent" label={t.penaltyPercent} isRequired />
        )}
      </FieldGrid>
    </FieldGroup>
  );
}
