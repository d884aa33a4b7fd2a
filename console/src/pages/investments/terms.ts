import { useTexts } from "../../lib/language";
import { productTexts } from "./product-texts";
import type { Product } from "./types";

export function useTermText(): (product: Pick<Product, "termMonths" | "termDays">) => string {
  const t = useTexts(productTexts);
  return ({ termMonths, termDays }) =>
    [termMonths > 0 && t.months(String(termMonths)), termDays > 0 && t.days(String(termDays))]
      .filter(Boolean)
      .join(", ") || t.noEnd;
}

/** "5", or the lowest and the highest: "5 – 5.75". */
export function ratesText({ tiers }: Pick<Product, "tiers">): string {
  const [first, last] = [tiers[0], tiers.at(-1)];
  if (first === undefined || last === undefined) return "0";
  return first === last ? first.ratePercent : `${first.ratePercent} – ${last.ratePercent}`;
}
