import { Plus } from "lucide-react";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Money } from "../../ui/figures";
import { Table } from "../../ui/table";
import type { Sides } from "./sums";
import { texts } from "./texts";
import type { LineValues } from "./values";

interface Props {
  sides: readonly Sides[];
  /** Puts a line that makes both sides the same. */
  onFill: (line: Partial<LineValues>) => void;
}

/** Both sides of each currency while a journal is written, and what one of them lacks. */
export function SidesTable({ sides, onFill }: Props) {
  const t = useTexts(texts);
  const language = useLanguage();
  if (sides.length === 0) return <p className="p-4 text-muted">{t.sumsHint}</p>;
  return (
    <Table
      label={t.sums}
      rows={sides}
      rowKey={({ currency }) => currency}
      columns={[
        { header: t.currency, cell: ({ currency }) => currency },
        { header: t.debits, isNumber: true, cell: ({ debits }) => <Money amount={debits} /> },
        { header: t.credits, isNumber: true, cell: ({ credits }) => <Money amount={credits} /> },
        {
          header: t.difference,
          cell: ({ isEven, difference }) => {
            if (isEven) return <Badge tone="good">{t.even}</Badge>;
            const [lacks, word] = difference.startsWith("-") ? ["debit", t.moreCredits] : ["credit", t.moreDebits];
            return (
              <Badge tone="bad">
                {grouped(difference.replace("-", ""), language)} {lacks === "debit" ? t.moreCredits : word}
              </Badge>
            );
          },
        },
        {
          header: t.doIt,
          cell: ({ isEven, currency, difference }) => {
            if (isEven) return null;
            const amount = difference.replace("-", "");
            const missing = difference.startsWith("-") ? { debit: amount } : { credit: amount };
            return (
              <Button icon={Plus} variant="quiet" onClick={() => onFill({ currency, ...missing })}>
                {t.fill(`${grouped(amount, language)} ${currency}`)}
              </Button>
            );
          },
        },
      ]}
    />
  );
}
