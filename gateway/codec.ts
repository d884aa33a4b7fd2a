// The codec of what services tell of, with the leaves that requests alone have.
import { goesAs } from "../services/platform/events/shapes/leaf-codecs.js";
import { decimalText, instant, instantIn, moneyNumberIn, moneyTextOrNumberIn } from "./schema.js";

export * from "../services/platform/events/shapes/codec.js";
export * from "../services/platform/events/shapes/wire.js";
export { asMoney, enumOf, textOf } from "../services/platform/events/shapes/leaf-codecs.js";

goesAs(instantIn, instant);
goesAs(moneyTextOrNumberIn, decimalText);
goesAs(moneyNumberIn, decimalText);

/** What an answer always says, and no message. */
export function always<const Value>(value: Value) {
  return { from: () => value, to: () => ({}) };
}
