import { type UseFormReturn } from "react-hook-form";
import { requiredDetailMoments, requiredDetails } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { SelectField } from "../../ui/form";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import { type PreferenceValues } from "./values";

/** When each personal detail is asked for. */
export function RequiredDetails({ form }: { form: UseFormReturn<PreferenceValues> }) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      {requiredDetails.map((detail) => (
        <div key={detail} className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-3">
          <SelectField
            form={form}
            name={`required.${detail}`}
            label={inWords(detail)}
            nothing={t.notAsked}
            options={requiredDetailMoments.map((value) => ({ value, label: t[value] }))}
          />
        </div>
      ))}
    </div>
  );
}
