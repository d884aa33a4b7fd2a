import type { ReactNode } from "react";
import { useTexts } from "../lib/language";
import { None } from "./figures";
import { uiTexts } from "./texts";

export interface Fact {
  label: string;
  value: ReactNode;
}

/** Names and values; what has no value is left out where `hideEmpty`. */
export function KeyValue({
  facts,
  columns = 2,
  hideEmpty = false,
}: {
  facts: readonly Fact[];
  columns?: 1 | 2 | 3;
  hideEmpty?: boolean;
}) {
  const shown = facts.filter(({ value }) => !hideEmpty || (value !== undefined && value !== null && value !== ""));
  const grid = { 1: "grid-cols-1", 2: "grid-cols-1 sm:grid-cols-2", 3: "grid-cols-2 xl:grid-cols-3" }[columns];
  return (
    <dl className={`grid gap-x-8 gap-y-2.5 ${grid}`}>
      {shown.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value ?? <None />}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface TimelineEntry {
  key: string;
  title: ReactNode;
  at: ReactNode;
  /** Who, and why. */
  detail?: ReactNode;
  isLatest?: boolean;
}

/** What happened, in its order. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="flex flex-col">
      {entries.map(({ key, title, at, detail, isLatest }, index) => (
        <li key={key} className="relative flex gap-3 pb-4 last:pb-0">
          {index < entries.length - 1 && (
            <span aria-hidden className="absolute top-3 bottom-0 left-[5px] w-px bg-line" />
          )}
          <span
            aria-hidden
            className={`relative mt-1 size-[11px] shrink-0 rounded-full border-2 ${isLatest ? "border-accent bg-accent" : "border-line-strong bg-surface"}`}
          />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">{title}</span>
              <span className="text-xs">{at}</span>
            </div>
            {detail && <div className="text-muted [overflow-wrap:anywhere]">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

export interface Change {
  field: string;
  before?: ReactNode;
  after?: ReactNode;
}

/** What a change makes of what was there, a line a field. */
export function Diff({ changes }: { changes: readonly Change[] }) {
  const t = useTexts(uiTexts);
  return (
    <table className="table as-cards">
      <thead>
        <tr>
          <th scope="col" aria-label={t.details} />
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }, index) => (
          // Of a list a line for each that joins or goes, all of one field.
          <tr key={`${field} ${index}`}>
            <th scope="row">{field}</th>
            <td data-label={t.before}>
              <del className="rounded bg-bad-soft px-1 text-bad no-underline">{before ?? t.none}</del>
            </td>
            <td data-label={t.after}>
              <ins className="rounded bg-good-soft px-1 text-good no-underline">{after ?? t.none}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface Bar {
  label: string;
  /** 0 to 1. */
  share: number;
  text: ReactNode;
  tone?: "accent" | "good" | "warn" | "bad";
}

const fills = { accent: "bg-accent", good: "bg-good", warn: "bg-warn", bad: "bg-bad" };

/** Shares of a whole, with their figures beside them. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5">
      {bars.map(({ label, share, text, tone = "accent" }) => (
        <div key={label} className="col-span-3 grid grid-cols-subgrid items-center">
          <dt className="text-muted">{label}</dt>
          <dd aria-hidden className="h-2 overflow-hidden rounded bg-line">
            <div className={`h-full ${fills[tone]}`} style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
          </dd>
          <dd className="figures text-right">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
