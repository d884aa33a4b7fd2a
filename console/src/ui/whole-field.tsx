import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { defineTexts, useTexts } from "../lib/language";
import { isWhole } from "../lib/typed";
import { TextField } from "./form";

const texts = defineTexts({
  en: { notWhole: "Must be a whole number, such as 12" },
  fr: { notWhole: "Doit être un nombre entier, par exemple 12" },
});

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  isRequired?: boolean;
}

/** A count, or basis points. */
export function WholeField<Values extends FieldValues>(props: Props<Values>) {
  const t = useTexts(texts);
  return <TextField {...props} inputMode="numeric" check={(text) => (isWhole(text) ? undefined : t.notWhole)} />;
}
