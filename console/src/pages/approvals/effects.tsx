import { sum } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Diff } from "../../ui/facts";
import { Id, Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { inWords } from "../../ui/words";
import { Value, useChangeName } from "./changes";
import { effectTexts } from "./effect-texts";
import { pageOf } from "./subject";
import { texts } from "./texts";
import type { Effect } from "./types";

/** What names an effect among others. */
export const effectKey = (effect: Effect): string => JSON.stringify(effect);

interface Props {
  label: string;
  effects: readonly Effect[];
  /** How many there are in all; as many as are given where absent. */
  count?: number | undefined;
  /** Marked: what was not there when it was first shown. */
  isNew?: (effect: Effect) => boolean;
}

/** Each kind with how many there are and how much that is, and below it what is touched. */
export function Effects({ label, effects, count = effects.length, isNew = () => false }: Props) {
  const t = useTexts(texts);
  const kinds = [...new Set(effects.map(({ kind }) => kind))];
  const isWhole = count === effects.length;
  return (
    <section aria-label={label} className="flex flex-col gap-3">
      <h3 className="font-semibold">{label}</h3>
      {effects.length === 0 && <p className="text-muted">{t.nothingDone}</p>}
      {kinds.map((kind) => (
        <Group key={kind} kind={kind} of={effects.filter((one) => one.kind === kind)} isWhole={isWhole} isNew={isNew} />
      ))}
      {!isWhole && <p className="font-medium text-warn">{t.moreChanges(String(count - effects.length))}</p>}
    </section>
  );
}

function Group({
  kind,
  of,
  isWhole,
  isNew,
}: {
  kind: Effect["kind"];
  of: readonly Effect[];
  isWhole: boolean;
  isNew: (effect: Effect) => boolean;
}) {
  const t = useTexts(texts);
  const words: Readonly<Record<string, (count: string) => string>> = useTexts(effectTexts);
  const count = String(of.length);
  // Of what is set one by one the fields say how much; the money of a subject counts once.
  const moved = isWhole ? sumsOf(of) : [];
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{words[kind]?.(count) ?? `${count} × ${inWords(kind)}`}</span>
        {moved.map(([currency, amount]) => (
          <strong key={currency}>
            <Money amount={amount} currency={currency} />
          </strong>
        ))}
      </p>
      <ul className="max-h-48 overflow-y-auto pl-4 text-sm">
        {of.map((effect) => (
          <li key={effectKey(effect)} className="flex flex-wrap items-baseline gap-x-3">
            <Line effect={effect} />
            {isNew(effect) && <Badge tone="warn">{t.new}</Badge>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Subjects whose ids people read: an account's code and currency, a period's day. */
const named: ReadonlySet<string> = new Set(["account", "period"]);

function Line({ effect: { subject, amount, currency, change } }: { effect: Effect }) {
  const nameOf = useChangeName();
  const [kind = "", ...rest] = subject.split(":");
  const id = rest.join(":");
  const page = pageOf(kind, id);
  return (
    <>
      {page === undefined ? (
        <Id value={subject} />
      ) : (
        <Link to={page} className="link">
          {named.has(kind) ? id : `${inWords(kind.replaceAll("-", "_"))} ${id.slice(-6)}`}
        </Link>
      )}
      {amount !== undefined && <Money amount={amount} currency={currency} />}
      {change !== undefined && (
        <Diff
          changes={[
            {
              field: nameOf(change.field),
              before: change.before && <Value of={change} text={change.before} />,
              after: change.after && <Value of={change} text={change.after} />,
            },
          ]}
        />
      )}
    </>
  );
}

/** By currency; each subject's money once. */
function sumsOf(effects: readonly Effect[]): [string, string][] {
  const bySubject = new Map(effects.map((one) => [one.subject, one]));
  const sums = new Map<string, string>();
  for (const { amount, currency = "" } of bySubject.values()) {
    if (amount !== undefined) sums.set(currency, sum(sums.get(currency) ?? "0", amount));
  }
  return [...sums];
}
