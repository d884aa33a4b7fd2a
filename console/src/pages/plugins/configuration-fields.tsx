import type { FieldPath, UseFormReturn } from "react-hook-form";
import { useTexts } from "../../lib/language";
import { FieldGroup } from "../../ui/field-grid";
import { SelectField, TextArea, TextField } from "../../ui/form";
import { plain } from "../../ui/options";
import { WholeField } from "../../ui/whole-field";
import type { SchemaField } from "./schema-fields";
import { texts } from "./texts";
import type { PluginType } from "./types";

export interface PluginValues {
  name: string;
  configuration: Record<string, string>;
  secrets: Record<string, string>;
  reason: string;
}

interface Of {
  form: UseFormReturn<PluginValues>;
}

/** What a type's schema asks for. */
export function ConfigurationFields({ form, fields }: Of & { fields: readonly SchemaField[] }) {
  const t = useTexts(texts);
  return (
    <FieldGroup title={t.configuration}>
      {fields.map((field) => (
        <ConfigurationField key={field.name} form={form} field={field} />
      ))}
    </FieldGroup>
  );
}

function ConfigurationField({ form, field }: Of & { field: SchemaField }) {
  const t = useTexts(texts);
  const { kind, label, isRequired, options } = field;
  const given = { form, name: `configuration.${field.name}` as FieldPath<PluginValues>, label, isRequired };
  switch (kind) {
    case "choice":
      return <SelectField {...given} options={plain(options)} {...(field.usual === "" && { nothing: "–" })} />;
    case "whole":
      return <WholeField {...given} />;
    case "wholes":
      return <TextField {...given} hint={t.wholesHint} />;
    case "words":
      return <TextField {...given} hint={t.wordsHint} />;
    case "pairs":
      return <TextArea {...given} hint={t.pairsHint} rows={3} />;
    case "long":
      return <TextArea {...given} rows={5} />;
    case "url":
      return <TextField {...given} placeholder="https://" />;
    case "email":
      return <TextField {...given} type="email" />;
    case "text":
      return <TextField {...given} />;
  }
}

/** What nobody sees again. Where `isNew`, those that the type requires are asked for. */
export function SecretFields({
  form,
  type,
  hint,
  isNew = false,
}: Of & { type: PluginType; hint: string; isNew?: boolean }) {
  const t = useTexts(texts);
  if (type.secrets.length === 0) return null;
  return (
    <FieldGroup title={t.secrets}>
      <p className="text-xs text-muted">{hint}</p>
      {type.secrets.map(({ name, title, isRequired }) => (
        <TextField
          key={name}
          form={form}
          name={`secrets.${name}` as FieldPath<PluginValues>}
          label={title}
          type="password"
          autoComplete="new-password"
          isRequired={isNew && isRequired}
        />
      ))}
    </FieldGroup>
  );
}
