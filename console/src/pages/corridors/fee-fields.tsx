import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { deliveryMethods } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { AmountField } from "../../ui/amount-field";
import { Button, IconButton } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, TextField } from "../../ui/form";
import { WholeField } from "../../ui/whole-field";
import { newFee, newTier, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";

type Of = { form: UseFormReturn<CorridorValues> };

export function FeeFields({ form }: Of) {
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
          </FieldGrid>
          <div role="group" aria-label={`${t.feeOf(String(index + 1))}: ${t.onlyFor}`}>
            <p className="mb-1.5 font-medium">{t.onlyFor}</p>
            <div className="flex flex-wrap gap-x-5 gap-y-2">
              {deliveryMethods.map((type) => (
                <CheckField key={type} form={form} name={`fees.${index}.types.${type}`} label={t[type]} />
              ))}
            </div>
            <p className="mt-1 text-xs text-muted">{t.onlyForHint}</p>
          </div>
          <TierFields form={form} fee={index} />
          <div className="flex justify-end">
            <Button icon={Trash2} variant="quiet" onClick={() => remove(index)}>
              {t.removeFee(String(index + 1))}
            </Button>
          </div>
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

/** From which amounts on the fee is another one. */
function TierFields({ form, fee }: Of & { fee: number }) {
  const t = useTexts(texts);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: `fees.${fee}.tiers` });
  return (
    <div className="flex flex-col gap-2.5">
      {fields.map((tier, index) => {
        const number = String(index + 1);
        const at = `fees.${fee}.tiers.${index}` as const;
        return (
          <div
            key={tier.id}
            role="group"
            aria-label={t.tierOf(number)}
            className="grid grid-cols-1 items-start gap-x-4 gap-y-2 border-l-2 border-line pl-3 sm:grid-cols-[1fr_1fr_1fr_auto]"
          >
            <AmountField form={form} name={`${at}.from`} label={t.tierFrom(number)} isRequired />
            <AmountField form={form} name={`${at}.fixed`} label={t.fixed} />
            <WholeField form={form} name={`${at}.rateBps`} label={t.rateBps} />
            <IconButton
              icon={Trash2}
              label={t.removeTier(number)}
              className="justify-self-end sm:mt-6"
              onClick={() => remove(index)}
            />
          </div>
        );
      })}
      <div>
        <Button icon={Plus} variant="quiet" onClick={() => append(newTier())}>
          {t.addTier}
        </Button>
      </div>
    </div>
  );
}
