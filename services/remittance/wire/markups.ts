import type { Markup as WireMarkup } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import { maxMarkupBps, type Markup, type MarkupContent } from "../domain/markup.js";
import { assertBps, ownerForm } from "./fields.js";

/** Refuses INVALID_INPUT. The owner may be empty. */
export function markupFromWire(markup: WireMarkup | undefined): MarkupContent {
  if (markup === undefined) throw invalidInput("markup", "is required");
  const { owner, sendCurrency, receivingCurrency, rateBps, feeBps } = markup;
  if (owner !== "" && !ownerForm.test(owner)) throw invalidInput("markup.owner", "is not an id");
  if ((sendCurrency === "") !== (receivingCurrency === "")) {
    throw invalidInput("markup.receivingCurrency", "is given with sendCurrency or not at all");
  }
  if (sendCurrency !== "") assertCurrency(sendCurrency, "markup.sendCurrency");
  if (receivingCurrency !== "") assertCurrency(receivingCurrency, "markup.receivingCurrency");
  assertBps(rateBps, maxMarkupBps, "markup.rateBps");
  assertBps(feeBps, maxMarkupBps, "markup.feeBps");
  return { owner, sendCurrency, receivingCurrency, rateBps, feeBps };
}

export const markupToWire = (markup: Markup): WirePartial<WireMarkup> => markup;
