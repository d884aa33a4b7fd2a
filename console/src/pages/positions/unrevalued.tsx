import { Scale } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Day } from "../../ui/figures";
import { ErrorPanel, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

/** Days that are over and whose positions were not valued: they keep the books open. */
export function Unrevalued({ days }: { days: readonly string[] }) {
  const t = useTexts(texts);
  const may = useMay();
  const revalue = useAction({
    operation: "revaluePositions",
    run: (day: string, options) => api.books.revaluePositions({ day }, options),
    stales: ["books", "ledger"],
    done: t.isRevalued,
  });
  return (
    <Section title={t.unrevalued}>
      <ErrorPanel error={revalue.error} />
      <p className="mb-2 text-muted">{t.unrevaluedHint}</p>
      <ul className="flex max-h-64 flex-col gap-1.5 overflow-y-auto">
        {days.map((day) => (
          <li key={day} className="flex items-center gap-3">
            <Day at={day} />
            {may("revaluePositions") && (
              <Button icon={Scale} busy={revalue.isRunning} onClick={() => void revalue.run(day)}>
                {t.revalue}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
