import type { ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { Timeline } from "../../ui/facts";
import { Id, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useWord } from "../compliance/codes";
import { texts } from "./texts";
import type { Case } from "./types";

type Entry = Case["timeline"][number];

/** Who did what and when, the newest first; nothing of it is ever changed. */
export function CaseTimeline({ of }: { of: Case }) {
  const t = useTexts(texts);
  const word = useWord();
  // A kind of entry that a later version adds has no text here yet.
  const did = t as Readonly<Record<string, unknown>> as Readonly<Record<string, string | undefined>>;
  return (
    <Section title={t.timeline}>
      <Timeline
        entries={of.timeline.toReversed().map((entry) => ({
          key: String(entry.sequence),
          title: did[`did${entry.kind}`] ?? word(entry.kind),
          at: <Time at={entry.at} seconds />,
          detail: (
            <>
              <Person id={entry.actor} />
              {entry.text && <p className="whitespace-pre-wrap text-ink">{entry.text}</p>}
              <Details entry={entry} />
            </>
          ),
          isLatest: entry.sequence === of.version,
        }))}
      />
    </Section>
  );
}

/** "priority" with "priorityBefore" are one line: what it was, and what it became. */
function Details({ entry }: { entry: Entry }) {
  const details = Object.entries(entry.details as Record<string, string>);
  const before = new Map(details.filter(([name]) => name.endsWith("Before")));
  const shown = details.filter(([name]) => !name.endsWith("Before"));
  const alone = [...before.keys()].filter((name) => !shown.some(([other]) => `${other}Before` === name));
  if (details.length === 0) return null;
  return (
    <ul className="mt-0.5 text-xs">
      {shown.map(([name, value]) => (
        <li key={name}>
          <Name name={name} />{" "}
          {before.has(`${name}Before`) && (
            <>
              <Value name={name} value={before.get(`${name}Before`) ?? ""} /> →{" "}
            </>
          )}
          <Value name={name} value={value} />
        </li>
      ))}
      {alone.map((name) => (
        <li key={name}>
          <Name name={name.replace(/Before$/, "")} /> <Value name={name} value={before.get(name) ?? ""} /> →
        </li>
      ))}
    </ul>
  );
}

function Name({ name }: { name: string }) {
  const t = useTexts(texts);
  const known: Readonly<Record<string, string>> = {
    assignee: t.assignee,
    priority: t.priority,
    dueAt: t.due,
    until: t.until,
    tags: t.tags,
    outcome: t.outcome,
    kind: t.kind,
    transactionId: t.transaction,
    screeningId: t.screening,
    decision: t.decision,
    fileId: t.file,
    name: t.name,
    form: t.form,
  };
  return <span>{known[name] ?? name.replaceAll(/([A-Z])/g, " $1").toLowerCase()}:</span>;
}

const pages: Readonly<Record<string, (id: string) => string>> = {
  transactionId: (id) => `/transactions/${id}`,
  screeningId: (id) => `/screenings/${id}`,
  previousCaseId: (id) => `/cases/${id}`,
};

function Value({ name, value }: { name: string; value: string }): ReactNode {
  const word = useWord();
  if (value === "") return <None />;
  if (name.startsWith("assignee")) return <Person id={value} />;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return <Time at={value} />;
  const page = pages[name];
  if (page) {
    return (
      <Link to={page(value)} className="link underline">
        …{value.slice(-8)}
      </Link>
    );
  }
  if (/Ids?$/.test(name)) return <Id value={value} short={!value.includes(",")} />;
  if (/^[A-Z][A-Z_]+(, [A-Z_]+)*$/.test(value)) return value.split(", ").map(word).join(", ");
  return <span className="[overflow-wrap:anywhere]">{value}</span>;
}
