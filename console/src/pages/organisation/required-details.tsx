import { useWatch, type UseFormReturn } from "react-hook-form";
import { requiredDetailMoments, requiredDetails } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { AmountField } from "../../ui/amount-field";
import { SelectField } from "../../ui/form";
import { plain } from "../../ui/options";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import { type PreferenceValues } from "./values";

interface Props {
  form: UseFormReturn<PreferenceValues>;
  currencies: readonly string[];
}

/** When each personal detail is asked for; an amount where it is asked above one. */
export function RequiredDetails({ form, currencies }: Props) {
  const t = useTexts(texts);
  const required = useWatch({ control: form.control, name: "required" });
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      {requiredDetails.map((detail) => (
        <div key={detail} className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-3">
          <SelectField
            form={form}
            name={`required.${detail}.at`}
            label={inWords(detail)}
            nothing={t.notAsked}
            options={requiredDetailMoments.map((value) => ({ value, label: t[value] }))}
          />
          {required[detail]?.at === "ABOVE_AMOUNT" && (
            <>
              <AmountField form={form} name={`required.${detail}.amount`} label={t.aboveAmount} isRequired />
              <SelectField
                form={form}
                name={`required.${detail}.currency`}
                label={t.currency}
                nothing={t.choose}
                options={plain(currencies)}
                isRequired
              />
            </>
          )}
        </div>
      ))}
    </div>
  );
}
