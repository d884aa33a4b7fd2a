import type { deliveryMethods } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { texts } from "./texts";
import type { Corridor } from "./types";

export type DeliveryType = (typeof deliveryMethods)[number];

/** Delivery methods in words: "Bank account, Cash pickup". */
export function useDeliveryText(): (types: readonly string[]) => string {
  const t = useTexts(texts);
  return (types) => types.map((type) => t[type as DeliveryType] ?? type).join(", ");
}

/** As the API names a corridor: USA-USD-NGA-NGN. */
export function keyOf(
  corridor: Pick<Corridor, "originCountry" | "sendCurrency" | "receivingCountry" | "receivingCurrency">,
): string {
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency } = corridor;
  return [originCountry, sendCurrency, receivingCountry, receivingCurrency].join("-");
}
