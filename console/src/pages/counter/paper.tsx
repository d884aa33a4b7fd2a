import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { useTexts } from "../../lib/language";
import { stored, useStored } from "../../lib/stored";
import { texts } from "./texts";
import type { Disclosure } from "./types";

const kinds = ["roll", "sheet"] as const;
type Kind = (typeof kinds)[number];

/** What the printer of this desk has in it. */
const paperStore = stored<Kind>("manilla.paper", "roll", (text) => (kinds as readonly string[]).includes(text));

/** Prints one paper of the page and nothing else, once it is marked. */
export function printMarked(mark: () => void): void {
  flushSync(mark);
  print();
}

export function PaperChoice() {
  const t = useTexts(texts);
  const kind = useStored(paperStore);
  return (
    <label className="flex items-center gap-2">
      <span className="text-muted">{t.paper}</span>
      <select className="control w-auto" value={kind} onChange={(event) => paperStore.set(event.target.value as Kind)}>
        {kinds.map((one) => (
          <option key={one} value={one}>
            {t[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface Props {
  label: string;
  of: Disclosure;
  /** It is what is printed. */
  isPrinted: boolean;
  /** It is for the printer alone. */
  isHidden?: boolean;
  /** Below the sums. */
  children?: ReactNode;
}

/** What the sender takes along, as it comes out of a printer of receipts. */
export function Paper({
  label,
  of: { organisation, title, lines, sections, language },
  isPrinted,
  isHidden = false,
  children,
}: Props) {
  const kind = useStored(paperStore);
  return (
    <article
      aria-label={label}
      className="paper"
      data-paper={kind}
      data-printed={isPrinted}
      data-hidden={isHidden}
      lang={language}
      dir="auto"
    >
      <header>
        <p className="paper-name">{organisation}</p>
        <p className="paper-title">{title}</p>
      </header>
      <dl>
        {lines.map(({ name, label: what, value, isSum }) => (
          <div key={name + what} data-sum={isSum}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children && <dl>{children}</dl>}
      {sections.map(({ title: heading, texts: said }, index) => (
        <section key={index}>
          {heading && <h3>{heading}</h3>}
          {said.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </section>
      ))}
    </article>
  );
}

/** A line of a paper. */
export function PaperLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
