import { z } from "zod";
import { JsonNumber } from "../services/kernel/json.js";
import { invalidInput } from "../services/kernel/refusal.js";
import { forms, type Codec } from "../services/platform/events/shapes/leaf-codecs.js";

const codec: Codec = { toWire: (value, path = "") => freeJsonToWire(value, path), fromWire: (value: unknown) => value };

/** Any JSON of a request. */
export const freeJsonIn = z.unknown() as z.ZodType<object>;
/** Any members. */
export const freeObjectIn = z.record(z.string(), z.unknown());
forms.add(freeJsonIn, { codec });
forms.add(freeObjectIn, { codec });

/**
 * Free JSON as google.protobuf.Struct keeps it, which holds numbers as doubles. Refuses
 * INVALID_INPUT for a number that a double would change: it belongs into a string.
 */
export function freeJsonToWire(value: unknown, path: string): unknown {
  if (value instanceof JsonNumber) return exactDouble(value, path);
  if (Array.isArray(value)) return value.map((item, index) => freeJsonToWire(item, `${path}.${index}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, freeJsonToWire(member, `${path}.${name}`)]),
  );
}

function exactDouble({ text }: JsonNumber, path: string): number {
  const double = Number(text);
  if (!Number.isFinite(double) || digitsOf(String(double)) !== digitsOf(text)) {
    throw invalidInput(path, "is a number that cannot be kept exactly here; send it as a string");
  }
  return double;
}

/**
 * Sign, significant digits and the power of ten of the last one: equal for equal decimal values.
 */
function digitsOf(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", decimals = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + decimals).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - decimals.length + (digits.length - significant.length);
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${power}`;
}
