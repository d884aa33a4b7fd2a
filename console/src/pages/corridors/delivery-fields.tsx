import type { UseFormReturn } from "react-hook-form";
import { deliveryMethods } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { CheckField, SelectField, TextField } from "../../ui/form";
import { WholeField } from "../../ui/whole-field";
import { hasTerms, type CorridorValues } from "./corridor-values";
import { texts } from "./texts";

// Accounts that a partner may know.
const checkedTypes: readonly string[] = ["ACCOUNTPAYMENT", "MOBILE_MONEY"];
const payeeCheckTimes = ["AT_RECIPIENT", "AT_TRANSACTION", "BOTH"] as const;

/** Which methods there are, and for each that is chosen its partner, time and narrower limits. */
export function DeliveryFields({ form }: { form: UseFormReturn<CorridorValues> }) {
  const t = useTexts(texts);
  const chosen = form.watch("types");
  const terms = form.watch("deliveries");
  return (
    <>
      <FieldGroup title={t.deliveries}>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {deliveryMethods.map((type) => (
            <CheckField key={type} form={form} name={`types.${type}`} label={t[type]} />
          ))}
        </div>
      </FieldGroup>
      {deliveryMethods
        .filter((type) => chosen[type])
        .map((type) => (
          <FieldGroup key={type} title={t[type]}>
            <FieldGrid>
              <TextField form={form} name={`deliveries.${type}.partner`} label={t.partner} hint={t.partnerHint} />
              <WholeField
                form={form}
                name={`deliveries.${type}.estimateMinutes`}
                label={t.minutes}
                hint={t.minutesHint}
                isRequired={hasTerms(terms[type])}
              />
              <WholeField
                form={form}
                name={`deliveries.${type}.deliveryDays`}
                label={t.deliveryDays}
                hint={t.deliveryDaysHint}
              />
              <AmountField form={form} name={`deliveries.${type}.minimumAmount`} label={t.minimum} />
              <AmountField form={form} name={`deliveries.${type}.maximumAmount`} label={t.maximum} />
              {checkedTypes.includes(type) && (
                <SelectField
                  form={form}
                  name={`deliveries.${type}.payeeCheck`}
                  label={t.payeeCheck}
                  hint={t.payeeCheckHint}
                  nothing={t.payeeCheckOff}
                  options={payeeCheckTimes.map((value) => ({ value, label: t[value] }))}
                />
              )}
            </FieldGrid>
          </FieldGroup>
        ))}
    </>
  );
}
