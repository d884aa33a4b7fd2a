import { ApiError } from "@manilla/client";
import { AlertTriangle, Inbox, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { useExplained } from "../lib/errors";
import { useTexts } from "../lib/language";
import { Button } from "./button";
import { Elsewhere } from "./elsewhere";
import { ScrollBox } from "./scroll-box";
import { uiTexts } from "./texts";

/** Nothing is here: what it is, and what to do about it. */
export function Empty({
  icon: Icon = Inbox,
  title,
  children,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-6 py-10 text-center">
      <Icon size={26} aria-hidden className="text-muted" />
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-muted">{children}</div>}
    </div>
  );
}

/** Lines that are on their way. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  const t = useTexts(uiTexts);
  const widths = ["w-11/12", "w-8/12", "w-10/12", "w-6/12"];
  return (
    <div role="status" aria-label={t.loading} className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_none, index) => (
        <div key={index} className={`skeleton h-3.5 ${widths[index % widths.length]}`} />
      ))}
    </div>
  );
}

/** Seconds that are left, counted down to zero. */
export function useCountdown(seconds: number | undefined, of: unknown): number {
  const [left, setLeft] = useState(Math.ceil(seconds ?? 0));
  useEffect(() => {
    setLeft(Math.ceil(seconds ?? 0));
    if (!seconds) return;
    const until = performance.now() + seconds * 1_000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1_000))), 500);
    return () => clearInterval(timer);
  }, [seconds, of]);
  return left;
}

/** Tries again by itself once the time is over that the server has named. */
function useGoOn(seconds: number | undefined, of: unknown, onRetry: (() => void) | undefined): void {
  const retry = useRef(onRetry);
  retry.current = onRetry;
  useEffect(() => {
    if (!seconds) return;
    const timer = setTimeout(() => retry.current?.(), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [seconds, of]);
}

/** What went wrong, and what can be done: nothing where there is no error. */
export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useTexts(uiTexts);
  const explain = useExplained();
  const message = error == null ? undefined : explain(error);
  const left = useCountdown(message?.retryAfterS, error);
  useGoOn(message?.retryAfterS, error, onRetry);
  if (message === undefined) return null;
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg border border-bad/40 bg-bad-soft px-3 py-2.5">
      <AlertTriangle size={17} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-bad [overflow-wrap:anywhere]">{message.title}</p>
        {message.detail && <p className="[overflow-wrap:anywhere]">{message.detail}</p>}
        {message.reference && (
          <p className="mt-0.5 text-xs [overflow-wrap:anywhere]">
            {message.code} · {message.reference}
          </p>
        )}
      </div>
      {onRetry && (
        <Button onClick={onRetry} disabled={left > 0}>
          {left > 0 ? t.retryIn(String(left)) : t.retry}
        </Button>
      )}
      {!onRetry && left > 0 && <span className="figures shrink-0">{t.retryIn(String(left))}</span>}
    </div>
  );
}

/** A part of a page with a name. */
export function Section({
  title,
  actions,
  children,
  flush = false,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  flush?: boolean;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card min-w-0 overflow-hidden">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {flush ? <ScrollBox>{children}</ScrollBox> : <div className="p-4">{children}</div>}
    </section>
  );
}

interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** A query's three states: on its way, failed, there. What is there stays while it is read anew. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: Loadable<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <div className="p-4">
        <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
        {query.error instanceof ApiError && query.error.status === 404 && <Elsewhere />}
      </div>
    );
  }
  return <Skeleton lines={lines} />;
}
