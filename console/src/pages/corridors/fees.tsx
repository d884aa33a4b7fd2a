import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { Figure, Money, None } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { inWords } from "../../ui/words";
import { useDeliveryText } from "./codes";
import { texts } from "./texts";
import type { Corridor } from "./types";

type Fee = Corridor["fees"][number];

/** What each fee begins with, in a line: "1.99 + 50 bps". */
export function FeeText({ corridor }: { corridor: Pick<Corridor, "fees"> }) {
  const t = useTexts(texts);
  const language = useLanguage();
  if (corridor.fees.length === 0) return <span className="text-muted">{t.noFees}</span>;
  return <span className="figures">{corridor.fees.map((fee) => feeText(fee, language)).join("; ")}</span>;
}

export function feeText({ fixed, rateBps }: Pick<Fee, "fixed" | "rateBps">, language: "en" | "fr"): string {
  const isFixed = /[1-9]/.test(fixed);
  const parts = [isFixed && grouped(fixed, language), rateBps > 0 && `${rateBps} bps`].filter(Boolean);
  return parts.join(" + ") || "0";
}

export function Fees({ corridor }: { corridor: Corridor }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const deliveryText = useDeliveryText();
  const { sendCurrency } = corridor;
  return (
    <Section title={`${t.fees} · ${sendCurrency}`} flush>
      <Rows
        label={t.fees}
        rows={corridor.fees}
        rowKey={(fee) => [fee.name, fee.types.join(), fee.chargeCategory].join(" ")}
        empty={t.noFees}
        columns={[
          { header: t.feeName, cell: (fee) => fee.name },
          { header: t.fixed, isNumber: true, cell: (fee) => <Money amount={fee.fixed} /> },
          { header: t.rateBps, isNumber: true, cell: (fee) => <Figure value={fee.rateBps} /> },
          { header: t.feeMinimum, isNumber: true, cell: (fee) => <Money amount={fee.minimum} /> },
          { header: t.feeMaximum, isNumber: true, cell: (fee) => <Money amount={fee.maximum} /> },
          { header: t.taxBps, isNumber: true, cell: (fee) => <Figure value={fee.taxBps} /> },
          { header: t.onlyFor, cell: (fee) => deliveryText(fee.types) || t.allDeliveries },
          { header: t.chargeCategory, cell: (fee) => (fee.chargeCategory ? inWords(fee.chargeCategory) : <None />) },
          {
            header: t.tiers,
            cell: (fee) =>
              fee.tiers.length === 0 ? (
                <None />
              ) : (
                <ul>
                  {fee.tiers.map((tier) => (
                    <li key={tier.from}>
                      {t.tierText(grouped(tier.from, language), grouped(tier.fixed, language), String(tier.rateBps))}
                    </li>
                  ))}
                </ul>
              ),
          },
        ]}
      />
    </Section>
  );
}
