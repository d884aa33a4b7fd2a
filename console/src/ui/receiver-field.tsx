import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { defineTexts, useTexts } from "../lib/language";
import { SelectField } from "./form";

const texts = defineTexts({ en: { choose: "Choose" }, fr: { choose: "Choisir" } });

export interface Receiver {
  id: string;
  name: string;
  /** What they are, where not all are the same. */
  role?: string;
}

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  label: string;
  /** Undefined until they are read. */
  people: readonly Receiver[] | undefined;
  /** The sentence where there is nobody. */
  nobody: string;
}

/** Chooses by name whom something is given to, or says that there is nobody. */
export function ReceiverField<Values extends FieldValues>({ form, name, label, people, nobody }: Props<Values>) {
  const t = useTexts(texts);
  if (people?.length === 0) return <p role="status">{nobody}</p>;
  return (
    <SelectField
      form={form}
      name={name}
      label={label}
      nothing={t.choose}
      options={optionsOf(people ?? [])}
      isRequired
    />
  );
}

/** By name; where two are called the same, the end of their id says who is who. */
export function optionsOf(people: readonly Receiver[]): { value: string; label: string }[] {
  const named = people.map(({ id, name, role }) => ({
    value: id,
    label: role === undefined ? name : `${name} · ${role}`,
  }));
  const isAlone = (label: string) => named.filter((one) => one.label === label).length === 1;
  return named
    .map(({ value, label }) => ({ value, label: isAlone(label) ? label : `${label} (…${value.slice(-8)})` }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
