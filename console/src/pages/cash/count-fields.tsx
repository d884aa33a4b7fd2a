import { decimal } from "@manilla/client";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { Money } from "../../ui/figures";
import { notesOf, piecesOf, worthOf } from "./notes";
import { tillTexts } from "./till-texts";

export interface CountValues {
  /** The amount, by whoever does not count the pieces one by one. */
  counted: string;
  pieces: string[];
}

export const noCount = (currency: string): CountValues => ({ counted: "", pieces: notesOf(currency).map(() => "") });

/** As the API takes it: the pieces where there are any, else the amount. */
export function countOf(currency: string, { counted, pieces }: CountValues) {
  const typed = piecesOf(notesOf(currency), pieces) ?? [];
  const exact = typedAmount(counted);
  return {
    ...(exact !== undefined && { counted: decimal(exact) }),
    ...(typed.length > 0 && { denominations: typed.map(({ value, count }) => ({ value: decimal(value), count })) }),
  };
}

interface Props<Values extends FieldValues & CountValues> {
  form: UseFormReturn<Values>;
  currency: string;
  label: string;
}

/** How many of each note and coin there are, what they come to, or the amount alone. */
export function CountFields<Values extends FieldValues & CountValues>({ form, currency, label }: Props<Values>) {
  const t = useTexts(tillTexts);
  const values = notesOf(currency);
  const typed = piecesOf(values, form.watch("pieces" as FieldPath<Values>));
  const isCounted = typed === undefined || typed.length > 0;
  return (
    <>
      {values.length > 0 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium">{t.notes}</legend>
          <div className="grid grid-cols-2 gap-x-6 gap-y-1.5 sm:grid-cols-3">
            {values.map((value, index) => (
              <label key={value} className="flex items-center justify-between gap-2">
                <span className="figures text-muted">{value} ×</span>
                <input
                  {...form.register(`pieces.${index}` as FieldPath<Values>)}
                  inputMode="numeric"
                  autoComplete="off"
                  className="control figures w-20 text-right"
                />
              </label>
            ))}
          </div>
          {isCounted && (
            <p role="status">
              {t.comesTo} {typed ? <Money amount={worthOf(typed)} currency={currency} /> : t.notWhole}
            </p>
          )}
        </fieldset>
      )}
      <AmountField
        form={form}
        name={"counted" as FieldPath<Values>}
        label={label}
        hint={values.length > 0 ? t.orAmount(currency) : currency}
        isRequired={!isCounted}
      />
    </>
  );
}
