import { Plus, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AccountField } from "../../ui/account-field";
import { Button, IconButton } from "../../ui/button";
import { SelectField, TextField } from "../../ui/form";
import { plain } from "../../ui/options";
import { uiTexts } from "../../ui/texts";
import { texts } from "./texts";
import { newLine, type JournalValues } from "./values";

const mostLines = 200;
const fewestLines = 2;

/** The lines of a journal: an account, and an amount on one of its sides. */
export function LineFields({ form, currency }: { form: UseFormReturn<JournalValues>; currency: string }) {
  const t = useTexts(texts);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "lines" });
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field, index) => (
        <Line
          key={field.id}
          form={form}
          index={index}
          {...(fields.length > fewestLines && { onRemove: () => remove(index) })}
        />
      ))}
      {fields.length < mostLines && (
        <div>
          <Button icon={Plus} onClick={() => append(newLine(form.getValues("lines").at(-1)?.currency ?? currency))}>
            {t.addLine}
          </Button>
        </div>
      )}
    </div>
  );
}

interface LineProps {
  form: UseFormReturn<JournalValues>;
  index: number;
  onRemove?: () => void;
}

function Line({ form, index, onRemove }: LineProps) {
  const t = useTexts(texts);
  const words = useTexts(uiTexts);
  const { currencies } = useOrganisation();
  const name = <Member extends string>(member: Member) => `lines.${index}.${member}` as const;
  const number = String(index + 1);
  const accountId = form.watch(`lines.${index}.accountId`);
  // An id ends in the account's currency.
  const ending = accountId.split(":").at(-1) ?? "";
  useEffect(() => {
    if (currencies.includes(ending)) form.setValue(`lines.${index}.currency`, ending);
  }, [ending]);
  const oneSide = (other: "debit" | "credit") => (text: string) => {
    if (typedAmount(text) === undefined) return words.notAmount;
    return form.getValues(`lines.${index}.${other}`).trim() === "" ? undefined : t.oneSide;
  };
  const isDebit = form.watch(`lines.${index}.debit`).trim() !== "";
  const isCredit = form.watch(`lines.${index}.credit`).trim() !== "";
  return (
    <fieldset className="grid grid-cols-2 items-start gap-2.5 border-b border-line pb-3 md:grid-cols-[minmax(0,2.2fr)_5.5rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.5fr)_2rem]">
      <legend className="sr-only">{t.line(number)}</legend>
      <div className="max-md:col-span-2">
        <AccountField
          form={form}
          name={name("accountId")}
          label={t.account}
          placeholder="bank_fees:USD"
          {...(index === 0 && { hint: t.accountHint })}
          isRequired
        />
      </div>
      <SelectField form={form} name={name("currency")} label={t.currency} options={plain(currencies)} />
      <TextField
        form={form}
        name={name("debit")}
        label={t.debit}
        inputMode="decimal"
        isRequired={!isCredit}
        check={oneSide("credit")}
      />
      <TextField
        form={form}
        name={name("credit")}
        label={t.credit}
        inputMode="decimal"
        isRequired={!isDebit}
        check={oneSide("debit")}
      />
      <TextField form={form} name={name("text")} label={t.lineText} />
      {onRemove && <IconButton icon={Trash2} label={t.removeLine(number)} onClick={onRemove} className="md:mt-6" />}
    </fieldset>
  );
}
