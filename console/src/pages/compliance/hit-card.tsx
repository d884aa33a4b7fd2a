import type { ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { Badge, StatusBadge, type Tone } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Id, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Person } from "../../ui/person";
import { useWord } from "./codes";
import { HitParts } from "./hit-parts";
import { complianceTexts } from "./texts";
import type { Hit, Screening } from "./types";

const tones: Readonly<Record<string, Tone>> = {
  OPEN: "warn",
  FALSE_POSITIVE: "neutral",
  CONFIRMATION_ASKED: "warn",
  CONFIRMED: "bad",
  EXEMPT: "neutral",
  RELEASED: "accent",
};

export function HitState({ state }: { state: string }) {
  const word = useWord();
  return <StatusBadge status={state} label={word(state)} tone={tones[state] ?? "neutral"} />;
}

/** A hit beside the entry of the list, with what explains its score and what people said of it. */
export function HitCard({
  hit,
  subject,
  choice,
  actions,
}: {
  hit: Hit;
  subject: Screening["subject"];
  /** Before the name: the box by which several are chosen. */
  choice?: ReactNode;
  actions?: ReactNode;
}) {
  const t = useTexts(complianceTexts);
  const word = useWord();
  return (
    <article className="card min-w-0 overflow-hidden" aria-label={hit.matchedName}>
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b border-line px-4 py-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          {choice}
          <Badge>{word(hit.entry.source)}</Badge>
          <h3 className="font-semibold [overflow-wrap:anywhere]">
            <bdi>{hit.matchedName}</bdi>
          </h3>
          <HitState state={hit.state} />
          {hit.offListSince !== undefined && <Badge tone="warn">{t.offListSince(String(hit.offListSince))}</Badge>}
        </div>
        <Scored score={hit.score} />
      </header>
      <div className="grid grid-cols-1 gap-px bg-line md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] [&>*]:min-w-0 [&>*]:bg-surface">
        <div className="p-4">
          <h4 className="mb-2 text-xs font-semibold text-muted">{t.subject}</h4>
          <KeyValue
            columns={1}
            hideEmpty
            facts={[
              { label: t.names, value: <bdi>{subject.name}</bdi> },
              { label: t.kind, value: word(subject.kind) },
              ...ofParts(hit, "DATE_OF_BIRTH", t.born),
              ...ofParts(hit, "GENDER", t.gender).map((fact) => ({ ...fact, value: word(fact.value) })),
              ...ofParts(hit, "COUNTRY", t.countries),
              ...ofParts(hit, "DOCUMENT", t.documents),
            ]}
          />
        </div>
        <Entry hit={hit} />
      </div>
      <div className="border-t border-line">
        <HitParts parts={hit.parts} score={hit.score} name={hit.matchedName} />
      </div>
      <Words hit={hit} />
      {actions && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-2">{actions}</footer>
      )}
    </article>
  );
}

function ofParts(hit: Hit, part: string, label: string) {
  const ours = hit.parts.filter((each) => each.part === part && each.ours).map((each) => each.ours);
  return ours.length === 0 ? [] : [{ label, value: ours.join(", ") }];
}

export function Scored({ score }: { score: number }) {
  const t = useTexts(complianceTexts);
  return (
    <span className="figures font-semibold" title={t.score(String(score))}>
      <Figure value={score} unit="‰" />
    </span>
  );
}

function Entry({ hit }: { hit: Hit }) {
  const t = useTexts(complianceTexts);
  const word = useWord();
  const { entry } = hit;
  return (
    <div className="p-4">
      <h4 className="mb-2 text-xs font-semibold text-muted">{t.entry}</h4>
      <KeyValue
        columns={2}
        hideEmpty
        facts={[
          { label: t.names, value: <Names names={entry.names} /> },
          { label: t.kind, value: word(entry.kind) },
          { label: t.born, value: entry.datesOfBirth.join(", ") },
          { label: t.gender, value: entry.gender && word(entry.gender) },
          { label: t.countries, value: entry.countries.join(", ") },
          {
            label: t.documents,
            value: entry.documents
              .map(({ type, number, country }) => [type, number, country].filter(Boolean).join(" "))
              .join(", "),
          },
          { label: t.programmes, value: entry.programmes.join(", ") },
          {
            label: t.entryId,
            value: (
              <span className="inline-flex flex-wrap items-baseline gap-x-2">
                <Id value={entry.entryId} />
                {hit.listId && (
                  <Link to={`/screening-lists/${hit.listId}`} className="link text-xs">
                    {t.listVersion} {hit.listVersion}
                  </Link>
                )}
              </span>
            ),
          },
        ]}
      />
      {entry.remarks && (
        <p className="mt-2.5 [overflow-wrap:anywhere]">
          <span className="block text-xs text-muted">{t.remarks}</span>
          {entry.remarks}
        </p>
      )}
    </div>
  );
}

const shownNames = 6;

function Names({ names }: { names: readonly string[] }) {
  const t = useTexts(complianceTexts);
  const [first, rest] = [names.slice(0, shownNames), names.slice(shownNames)];
  return (
    <>
      <ul>
        {first.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <details>
          <summary className="link">
            {t.showEntry} ({rest.length})
          </summary>
          <ul>
            {rest.map((name) => (
              <li key={name}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What people said of a hit, and what still waits for a second one. */
function Words({ hit }: { hit: Hit }) {
  const t = useTexts(complianceTexts);
  const { decidedBy, reason, decidedAt, agreed, release } = hit;
  const words = [
    { label: t.decidedBy, word: decidedBy && { by: decidedBy, reason: reason ?? "", at: decidedAt } },
    { label: t.agreedBy, word: agreed },
    { label: t.releaseAsked, word: release?.asked },
    { label: t.releaseAgreed, word: release?.agreed },
  ].flatMap(({ label, word }) => (word ? [{ label, word }] : []));
  const waits = hit.state === "CONFIRMATION_ASKED" || (release !== undefined && release.agreed === undefined);
  if (words.length === 0 && !waits && hit.exemptUntil === undefined) return null;
  return (
    <div className="flex flex-col gap-1 border-t border-line px-4 py-2.5">
      {words.map(({ label, word }) => (
        <p key={label} className="[overflow-wrap:anywhere]">
          <span className="text-muted">{label}: </span>
          <Person id={word.by} /> · <Time at={word.at} />
          {word.reason && <> · {word.reason}</>}
        </p>
      ))}
      {hit.exemptUntil && (
        <p>
          <span className="text-muted">{t.exemptUntil} </span>
          <Day at={hit.exemptUntil} />
        </p>
      )}
      {waits && (
        <p>
          <Link to="/approvals" className="link">
            {t.approval}
          </Link>
        </p>
      )}
    </div>
  );
}
