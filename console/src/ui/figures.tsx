import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useLanguage, useTexts } from "../lib/language";
import { grouped } from "../lib/money";
import { useOrganisation } from "../lib/organisation";
import { agoText, dayText, momentText, zoneText } from "../lib/time";
import { IconButton } from "./button";
import { uiTexts } from "./texts";

/** An exact amount: decimal text in, grouped text out. */
export function Money({ amount, currency }: { amount: string | undefined; currency?: string | undefined }) {
  const language = useLanguage();
  if (amount === undefined) return <None />;
  return (
    <span className="figures whitespace-nowrap">
      {grouped(amount, language)}
      {currency && <span className="ml-1 text-xs text-muted">{currency}</span>}
    </span>
  );
}

/** A rate, a count or a percentage as the API says it. */
export function Figure({ value, unit }: { value: string | number | undefined; unit?: string }) {
  return <Money amount={value === undefined ? undefined : String(value)} currency={unit} />;
}

/** A moment in the organisation's zone, which is shown. */
export function Time({ at, seconds = false }: { at: string | undefined; seconds?: boolean }) {
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  if (at === undefined) return <None />;
  return (
    <time dateTime={at} title={`${at} · ${timeZone}`} className="figures">
      <span className="whitespace-nowrap">{momentText(at, language, timeZone, seconds)}</span>{" "}
      <span className="text-xs text-muted whitespace-nowrap">{zoneText(at, language, timeZone)}</span>
    </time>
  );
}

/** A calendar day. */
export function Day({ at }: { at: string | undefined }) {
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  if (at === undefined) return <None />;
  return (
    <time dateTime={at} className="figures whitespace-nowrap">
      {dayText(at, language, timeZone)}
    </time>
  );
}

/** "3 hours ago", with the moment where the pointer rests: for queues, where age is what counts. */
export function Ago({ at }: { at: string | undefined }) {
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  if (at === undefined) return <None />;
  return (
    <time
      dateTime={at}
      className="whitespace-nowrap"
      title={`${momentText(at, language, timeZone)} ${zoneText(at, language, timeZone)}`}
    >
      {agoText(at, language)}
    </time>
  );
}

export function None() {
  return <span className="text-muted">–</span>;
}

/** An id in full where there is room, which is copied by a click. */
export function Id({ value, short = false }: { value: string | undefined; short?: boolean }) {
  const t = useTexts(uiTexts);
  const [isCopied, setCopied] = useState(false);
  if (value === undefined) return <None />;
  const copy = () =>
    void navigator.clipboard.writeText(value).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    });
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 font-mono text-[0.7rem]">
      <span className="[overflow-wrap:anywhere]" title={value}>
        {short ? `…${value.slice(-8)}` : value}
      </span>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? t.copied : t.copy}
        onClick={copy}
        className="-my-2 scale-75 text-muted"
      />
    </span>
  );
}
