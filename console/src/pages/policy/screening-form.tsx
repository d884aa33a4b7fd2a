import { listSources, yearOfBirthRules } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { CheckField, SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { useOptions, useWord } from "../compliance/codes";
import { texts, useFieldName } from "./texts";
import type { ScreeningContent } from "./types";

type Body = Parameters<typeof api.compliance.saveScreeningPolicyDraft>[0];

const counts = ["threshold", "yearTolerance", "staleAfterHours", "rescreenAfterDays"] as const;
const bounds = {
  threshold: [500, 1_000],
  yearTolerance: [0, 20],
  staleAfterHours: [1, 720],
  rescreenAfterDays: [0, 3_650],
} as const;

interface Values extends Record<(typeof counts)[number], string> {
  on: Record<string, boolean>;
  otherYearOfBirth: string;
  blocksSender: boolean;
}

interface Props {
  start: ScreeningContent;
  revision: number;
  onClose: () => void;
}

/** Writes the draft onto the revision that was read. */
export function ScreeningForm({ start, revision, onClose }: Props) {
  const t = useTexts(texts);
  const word = useWord();
  const nameOf = useFieldName();
  const optionsOf = useOptions();
  const form = useActionForm({
    operation: "saveScreeningPolicyDraft",
    run: (body: Omit<Body, "revision">, options) =>
      api.compliance.saveScreeningPolicyDraft({ ...body, revision }, options),
    stales: ["policy"],
    done: t.saved,
    onDone: onClose,
    defaults: valuesOf(start),
    paths: { lists: "on" },
    keep: true,
    toInput: bodyOf,
  });
  const within = (name: (typeof counts)[number]) => (text: string) => {
    const [least, most] = bounds[name];
    const isWithin = /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most;
    return isWithin ? undefined : t.between(String(least), String(most));
  };
  return (
    <FormDialog title={t.draft} of={form} submit={t.save} onClose={onClose}>
      <fieldset>
        <legend className="mb-1 font-medium">{nameOf("lists")}</legend>
        <div className="grid grid-cols-2 gap-1">
          {listSources.map((source) => (
            <CheckField key={source} form={form.form} name={`on.${source}`} label={word(source)} />
          ))}
        </div>
      </fieldset>
      {counts.map((name) => (
        <TextField
          key={name}
          form={form.form}
          name={name}
          inputMode="numeric"
          label={nameOf(name)}
          hint={t[`${name}Hint`]}
          isRequired
          check={within(name)}
        />
      ))}
      <SelectField
        form={form.form}
        name="otherYearOfBirth"
        label={nameOf("otherYearOfBirth")}
        options={optionsOf(yearOfBirthRules)}
      />
      <CheckField form={form.form} name="blocksSender" label={nameOf("blocksSender")} hint={t.blocksSenderHint} />
    </FormDialog>
  );
}

function valuesOf(content: ScreeningContent): Values {
  return {
    on: Object.fromEntries(listSources.map((source) => [source, content.lists.includes(source)])),
    threshold: String(content.threshold),
    yearTolerance: String(content.yearTolerance),
    staleAfterHours: String(content.staleAfterHours),
    rescreenAfterDays: String(content.rescreenAfterDays),
    otherYearOfBirth: content.otherYearOfBirth,
    blocksSender: content.blocksSender,
  };
}

function bodyOf(values: Values): Omit<Body, "revision"> {
  return {
    lists: listSources.filter((source) => values.on[source]),
    threshold: Number(values.threshold),
    yearTolerance: Number(values.yearTolerance),
    staleAfterHours: Number(values.staleAfterHours),
    rescreenAfterDays: Number(values.rescreenAfterDays),
    otherYearOfBirth: values.otherYearOfBirth as Body["otherYearOfBirth"],
    blocksSender: values.blocksSender,
  };
}
