import type { ReactNode } from "react";
import { inWords } from "./words";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

const tones: Record<Tone, string> = {
  neutral: "bg-canvas text-muted border-line",
  accent: "bg-accent-soft text-accent border-transparent",
  good: "bg-good-soft text-good border-transparent",
  warn: "bg-warn-soft text-warn border-transparent",
  bad: "bg-bad-soft text-bad border-transparent",
};

export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

const good =
  /^(COMPLETED|APPROVED|ACTIVE|PAID|PAID_OFF|SUCCEEDED|DELIVERED|VERIFIED|ACCEPTED|FULFILLED|OPEN_ACCOUNT|PUBLISHED)$/;
const bad =
  /^(FAILED|REJECTED|REFUSED|RETURNED|BLOCKED|FROZEN|DISABLED|WRITTEN_OFF|CHARGED_BACK|REVOKED|OVERDUE|TRUE_MATCH)$/;
const warn = /(PENDING|WAITING|AWAITING|REVIEW|ASKED|OPEN$|PAUSED|IN_ARREARS|EXPIRING|ESCALATED)/;
const calm = /^(CANCELLED|EXPIRED|CLOSED|REFUNDED|ENDED|DRAFT|WITHDRAWN)$/;

/**
 * AWAITING_PAYMENT → "Awaiting payment": codes of the API, in words,
 * in the colour of what they mean.
 */
export function StatusBadge({ status, label, tone }: { status: string; label?: string | undefined; tone?: Tone }) {
  return <Badge tone={tone ?? toneOf(status)}>{label ?? inWords(status)}</Badge>;
}

export function toneOf(status: string): Tone {
  if (good.test(status)) return "good";
  if (bad.test(status)) return "bad";
  if (calm.test(status)) return "neutral";
  return warn.test(status) ? "warn" : "accent";
}

/** The tone that a table has for a code; neutral for one that a newer server may have. */
export function toneIn(tones: Readonly<Record<string, Tone>>, code: string): Tone {
  return tones[code] ?? "neutral";
}
