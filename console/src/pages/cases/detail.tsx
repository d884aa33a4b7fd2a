import { useParams } from "@tanstack/react-router";
import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { useWord } from "../compliance/codes";
import { HitCard } from "../compliance/hit-card";
import { SubjectLink, SubjectName } from "../compliance/subject";
import { CaseActions } from "./actions";
import { CaseStatus } from "./badges";
import { CaseFiles } from "./files";
import { NoteForm } from "./note-form";
import { useCase } from "./read-case";
import { texts } from "./texts";
import { CaseTimeline } from "./timeline";
import { CaseTransactions } from "./transactions";
import type { Case } from "./types";
import { Work } from "./work";

export default function CasePage() {
  const t = useTexts(texts);
  const { caseId } = useParams({ strict: false }) as { caseId: string };
  const found = useCase(caseId);
  const { data } = found;
  return (
    <Page
      title={data ? t.caseNumber(String(data.number)) : t.case_}
      badge={data && <CaseStatus status={data.status} />}
      about={data && <SubjectName name={data.subjectName} state={data.subjectNameState} />}
      back={{ to: "/cases", label: t.title }}
      actions={data && <CaseActions of={data} />}
    >
      <Loaded query={found} lines={12}>
        {(one) => (
          <Columns>
            <Stack>
              <Subject of={one} />
              <CaseTransactions of={one} />
              <Found of={one} />
            </Stack>
            <Stack>
              <Work of={one} />
              <CaseFiles of={one} />
              <Section title={t.addNote}>
                <NoteForm caseId={one.caseId} />
              </Section>
              <CaseTimeline of={one} />
            </Stack>
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Subject({ of }: { of: Case }) {
  const t = useTexts(texts);
  const word = useWord();
  return (
    <Section title={t.subject}>
      <KeyValue
        columns={2}
        hideEmpty
        facts={[
          { label: t.name, value: <SubjectName name={of.subjectName} state={of.subjectNameState} /> },
          { label: t.kind, value: `${word(of.kind)} · ${word(of.subjectKind)}` },
          {
            label: t.knownAs,
            value: <SubjectLink kind={of.subjectKind} id={of.subjectId} customerId={of.customerId} />,
          },
          { label: t.outcome, value: of.outcome && word(of.outcome) },
          { label: t.opened, value: <Time at={of.openedAt} /> },
          { label: t.closedAt, value: of.closedAt && <Time at={of.closedAt} /> },
          {
            label: t.previousCase,
            value: of.previousCaseId && (
              <Link to={`/cases/${of.previousCaseId}`} className="link">
                {t.openPrevious}
              </Link>
            ),
          },
          { label: t.caseId, value: <Id value={of.caseId} /> },
        ]}
      />
    </Section>
  );
}

/** What was found of the subject on lists, the newest comparison first. */
function Found({ of }: { of: Case }) {
  const t = useTexts(texts);
  const word = useWord();
  const withHits = of.screenings.filter(({ hits }) => hits.length > 0);
  if (withHits.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-semibold">{t.found(String(of.hitCount))}</h2>
      {withHits.map((screening) => (
        <section key={screening.screeningId} aria-label={screening.subject.name} className="flex flex-col gap-2">
          <p className="flex flex-wrap items-baseline gap-x-3 text-muted">
            <span>
              {word(screening.trigger)} · <Time at={screening.screenedAt} />
            </span>
            <Link to={`/screenings/${screening.screeningId}`} className="link">
              {t.decideHits}
            </Link>
          </p>
          {screening.hits.map((hit) => (
            <HitCard key={hit.hitId} hit={hit} subject={screening.subject} />
          ))}
        </section>
      ))}
    </div>
  );
}
