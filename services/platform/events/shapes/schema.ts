import { z } from "zod";
import { JsonNumber } from "../../../kernel/json.js";

/** Decimal text: every money field of ours. */
export const decimalText = z
  .string()
  .regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, "must be a decimal number as text, such as 25.50")
  .meta({ examples: ["25.50"] });

/** An instant in answers, ISO 8601 UTC. */
export const instant = z.string().meta({ format: "date-time" });

/** A calendar day in answers. */
export const date = z.string().meta({ format: "date" });

/** A whole number in answers. */
export const integer = z.bigint().meta({ override: { type: "integer" } });

/** Money that the contract types as a number, in answers. */
export const moneyNumber = z.instanceof(JsonNumber).meta({ override: { type: "number", examples: [25.5] } });

const shownValues = z.registry<{ value: unknown }>();

/** The schema with what it holds in examples; a text's member is named otherwise in words. */
export function shown<S extends z.ZodType>(schema: S, value: unknown): S {
  const copy = schema.meta({});
  shownValues.add(copy, { value });
  return copy;
}

/** What a schema holds in examples; undefined where nothing is said of it. */
export function shownBy(schema: z.ZodType): unknown {
  return shownValues.get(schema)?.value;
}
