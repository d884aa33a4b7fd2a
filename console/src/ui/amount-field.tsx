import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useTexts } from "../lib/language";
import { typedAmount } from "../lib/money";
import { TextField } from "./form";
import { uiTexts } from "./texts";

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  isRequired?: boolean;
}

/** An amount as a person types it; `amountOf` reads it exactly. */
export function AmountField<Values extends FieldValues>(props: Props<Values>) {
  const t = useTexts(uiTexts);
  return (
    <TextField
      {...props}
      inputMode="decimal"
      check={(text) => (typedAmount(text) === undefined ? t.notAmount : undefined)}
    />
  );
}
