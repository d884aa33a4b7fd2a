/** A field of a form, made of a property of a type's JSON Schema. */
export interface SchemaField {
  name: string;
  label: string;
  kind: "text" | "long" | "email" | "url" | "whole" | "choice" | "wholes" | "words" | "pairs";
  isRequired: boolean;
  /** What counts where nothing is typed. */
  usual: string;
  options: readonly string[];
}

interface Property {
  type?: string;
  title?: string;
  format?: string;
  enum?: readonly unknown[];
  default?: unknown;
  maxLength?: number;
  items?: { type?: string };
}

const longFrom = 1_000;

/** The fields of a type's configuration, in the schema's order. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): SchemaField[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    label: property.title ?? name,
    kind: kindOf(property),
    isRequired: required.includes(name),
    usual: textOf(property.default),
    options: (property.enum ?? []).map(String),
  }));
}

function kindOf({ type, format, enum: choices, maxLength = 0, items }: Property): SchemaField["kind"] {
  if (choices !== undefined) return "choice";
  if (type === "integer") return "whole";
  if (type === "array") return items?.type === "string" ? "words" : "wholes";
  if (type === "object") return "pairs";
  if (format === "uri") return "url";
  if (format === "email") return "email";
  return maxLength >= longFrom ? "long" : "text";
}

/**
 * What is typed, as the API takes it; an empty field is left out. What cannot be is sent as
 * typed, and is refused by name.
 */
export function configurationOf(
  fields: readonly SchemaField[],
  typed: Readonly<Record<string, string>>,
): Record<string, Typed> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const text = (typed[name] ?? "").trim();
      return text === "" ? [] : [[name, valueOf(kind, text)] as const];
    }),
  );
}

type Typed = string | number | Typed[] | Record<string, string>;

function valueOf(kind: SchemaField["kind"], text: string): Typed {
  if (kind === "whole") return numberOr(text);
  if (kind === "words") return partsOf(text);
  if (kind === "wholes") return partsOf(text).map(numberOr);
  if (kind !== "pairs") return text;
  return Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const at = line.indexOf(":");
        const name = at < 0 ? line : line.slice(0, at);
        return [name.trim(), at < 0 ? "" : line.slice(at + 1).trim()] as const;
      }),
  );
}

const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const numberOr = (text: string): string | number => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** As `configurationOf` takes it again. */
export function textsOf(
  fields: readonly SchemaField[],
  configuration: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, usual }) => [name, textOf(configuration[name] ?? usual)]));
}

/** One value of a configuration, as a person reads it. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(", ");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  return Object.entries(value ?? {})
    .map(([name, one]) => `${name}: ${String(one)}`)
    .join("\n");
}
