import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge, toneIn } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Id, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { screeningTones, useWord } from "../compliance/codes";
import { SubjectLink } from "../compliance/subject";
import type { Screening } from "../compliance/types";
import { Hits } from "./hits";
import { texts } from "./texts";

export default function ScreeningPage() {
  const t = useTexts(texts);
  const word = useWord();
  const { screeningId } = useParams({ strict: false }) as { screeningId: string };
  const found = useQuery(
    read("screenings", "readScreening", { screeningId }, (options) =>
      api.compliance.readScreening(screeningId, options),
    ),
  );
  const { data } = found;
  return (
    <Page
      title={data?.subject.name ?? t.title}
      badge={
        data && (
          <StatusBadge status={data.status} label={word(data.status)} tone={toneIn(screeningTones, data.status)} />
        )
      }
      about={data && `${word(data.subject.kind)} · ${word(data.trigger)}`}
      back={{ to: "/screenings", label: t.title }}
    >
      <Loaded query={found} lines={12}>
        {(screening) => (
          <Columns>
            <Hits screening={screening} />
            <Stack>
              <About screening={screening} />
            </Stack>
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function About({ screening }: { screening: Screening }) {
  const t = useTexts(texts);
  const word = useWord();
  const { subject } = screening;
  return (
    <Section title={t.comparison}>
      <KeyValue
        columns={1}
        hideEmpty
        facts={[
          { label: t.who, value: <bdi>{subject.name}</bdi> },
          {
            label: t.knownAs,
            value: <SubjectLink kind={subject.kind} id={subject.id} customerId={subject.customerId} />,
          },
          { label: t.compared, value: <Time at={screening.screenedAt} seconds /> },
          {
            label: t.case_,
            value: screening.caseId && (
              <Link to={`/cases/${screening.caseId}`} className="link">
                {t.openCase}
              </Link>
            ),
          },
          { label: t.waitingFor, value: <Waiting ids={screening.transactionIds} /> },
          { label: t.wrong, value: screening.reason },
          {
            label: t.policyVersion,
            value: screening.policyVersion === 0 ? t.platformPolicy : String(screening.policyVersion),
          },
          {
            label: t.lists,
            value: (
              <ul>
                {screening.lists.map(({ source, listId, version }) => (
                  <li key={listId}>
                    <Link to={`/screening-lists/${listId}`} className="link">
                      {word(source)} {version}
                    </Link>
                  </li>
                ))}
              </ul>
            ),
          },
          { label: t.id, value: <Id value={screening.screeningId} /> },
        ]}
      />
    </Section>
  );
}

function Waiting({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return <None />;
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link to={`/transactions/${id}`} className="link font-mono text-xs">
            …{id.slice(-12)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
