import { useTexts } from "../../lib/language";
import { Diff } from "../../ui/facts";
import { Id, Money } from "../../ui/figures";
import { inWords } from "../../ui/words";
import { fieldTexts } from "./field-texts";
import { texts } from "./texts";
import type { Approval } from "./types";

type Change = NonNullable<Approval["changes"]>[number];

/** What the approval itself says that differs, as it was when it was asked for. */
export function Changes({ approval: { changes = [], moreChanges = 0 } }: { approval: Approval }) {
  const t = useTexts(texts);
  const nameOf = useChangeName();
  return (
    <div className="flex flex-col gap-2">
      <Diff
        changes={changes.map((change) => ({
          field: nameOf(change.field),
          before: change.before && <Value of={change} text={change.before} />,
          after: change.after && <Value of={change} text={change.after} />,
        }))}
      />
      {moreChanges > 0 && <p className="font-medium text-warn">{t.moreChanges(String(moreChanges))}</p>}
      <p className="text-xs text-muted">{t.whenAsked}</p>
    </div>
  );
}

export function Value({ of: { field, currency }, text }: { of: Change; text: string }) {
  const t = useTexts(texts);
  const words: Readonly<Record<string, string>> = useTexts(fieldTexts);
  if (currency !== undefined) return <Money amount={text} currency={currency} />;
  if (field.endsWith("Id")) return <Id value={text} />;
  if (text === "true" || text === "false") return text === "true" ? t.yes : t.no;
  if (field === "currencies" || field === "countries") return text;
  // Codes in words, one or several.
  if (/^[A-Z]{3,}[A-Z_, ]*$/.test(text)) {
    return text
      .split(", ")
      .map((code) => words[code] ?? inWords(code))
      .join(", ");
  }
  return text;
}

/** "fees.0.tiers.1.from" → "Fee 1 · Tier 2 · From". */
export function useChangeName(): (field: string) => string {
  const t: Readonly<Record<string, string>> = useTexts(fieldTexts);
  return (field) => {
    const parts = field.split(".").map((part) => {
      if (/^\d+$/.test(part)) return String(Number(part) + 1);
      return t[part] ?? (/^[A-Z_]+$/.test(part) ? inWords(part) : part);
    });
    return parts.reduce((name, part) => name + (/^\d+$/.test(part) ? " " : " · ") + part);
  };
}
