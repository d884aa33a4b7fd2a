import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge, toneIn } from "../../ui/badge";
import { Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { screeningTones, useWord } from "./codes";
import { complianceTexts } from "./texts";
import type { Screening } from "./types";

/**
 * The hits for which a transaction waits or is blocked, or a customer is, each with the way to
 * where it is decided or released, and to its case. Nothing where there are none, or where
 * they are not this person's to see.
 */
export function WhyHeld(of: { transactionId: string } | { customerId: string }) {
  const t = useTexts(complianceTexts);
  const may = useMay();
  const screenings = useQuery({
    ...read("screenings", "listScreenings", of, (options) =>
      api.compliance.listScreenings({ ...of, size: 20 } as never, options).page(),
    ),
    enabled: may("listScreenings"),
  });
  const held = screenings.data?.items.filter(holds) ?? [];
  if (held.length === 0) return null;
  return (
    <Section title={t.whyHeld}>
      <ul className="flex flex-col gap-3">
        {held.map((screening) => (
          <Held key={screening.screeningId} screening={screening} />
        ))}
      </ul>
    </Section>
  );
}

/** A hit that nobody has told apart, lists that could not be asked, or the same person. */
function holds({ status }: Screening): boolean {
  return status !== "NO_HIT";
}

function Held({ screening }: { screening: Screening }) {
  const t = useTexts(complianceTexts);
  const word = useWord();
  const { screeningId, status, subject, hits, caseId, screenedAt, reason } = screening;
  return (
    <li className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <StatusBadge status={status} label={word(status)} tone={toneIn(screeningTones, status)} />
        <bdi>{subject.name}</bdi>
        <Time at={screenedAt} />
      </span>
      {reason && <span className="text-muted">{reason}</span>}
      <ul className="text-xs text-muted">
        {hits.slice(0, 3).map((hit) => (
          <li key={hit.hitId}>
            <bdi>{hit.matchedName}</bdi> · {word(hit.entry.source)} · {hit.score} ‰ · {word(hit.state)}
            {hit.offListSince !== undefined && <> · {t.offListSince(String(hit.offListSince))}</>}
            {hit.release && <> · {t.releaseAsked}</>}
          </li>
        ))}
      </ul>
      <span className="flex flex-wrap gap-3">
        <Link to={`/screenings/${screeningId}`} className="link">
          {status === "CONFIRMED_HIT" ? t.toRelease : t.toHit}
        </Link>
        {caseId && (
          <Link to={`/cases/${caseId}`} className="link">
            {t.toCase}
          </Link>
        )}
      </span>
    </li>
  );
}
