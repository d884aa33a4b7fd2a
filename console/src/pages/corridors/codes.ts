import { useTexts } from "../../lib/language";
import { texts } from "./texts";
import type { Corridor } from "./types";

export const deliveryTypes = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

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
