import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { deliveryMethods } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, TextField } from "../../ui/form";
import { newOtherFee, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";

/** What others on the way take off, which senders are told. */
export function OtherFeeFields({ form }: { form: UseFormReturn<CorridorValues> }) {
  const t = useTexts(texts);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "otherFees" });
  return (
    <div className="flex flex-col gap-3.5">
      {fields.map((fee, index) => {
        const title = t.otherFeeOf(String(index + 1));
        return (
          <FieldGroup key={fee.id} title={title}>
            <FieldGrid>
              <TextField form={form} name={`otherFees.${index}.name`} label={t.feeName} isRequired />
              <AmountField form={form} name={`otherFees.${index}.amount`} label={t.otherFeeAmount} isRequired />
            </FieldGrid>
            <div role="group" aria-label={`${title}: ${t.onlyFor}`} className="flex flex-wrap gap-x-5 gap-y-2">
              {deliveryMethods.map((type) => (
                <CheckField key={type} form={form} name={`otherFees.${index}.types.${type}`} label={t[type]} />
              ))}
            </div>
            <div className="flex justify-end">
              <Button icon={Trash2} variant="quiet" onClick={() => remove(index)}>
                {t.removeOtherFee(String(index + 1))}
              </Button>
            </div>
          </FieldGroup>
        );
      })}
      <div>
        <Button icon={Plus} onClick={() => append(newOtherFee())}>
          {t.addOtherFee}
        </Button>
        <p className="mt-1 text-xs text-muted">{t.otherFeesHint}</p>
      </div>
    </div>
  );
}
