import { useTexts } from "../../lib/language";
import { Badge, StatusBadge, type Tone } from "../../ui/badge";
import { None } from "../../ui/figures";
import { texts } from "./texts";
import type { Plugin } from "./types";

const tones: Record<string, Tone> = { ENABLED: "good", TESTED: "accent", PAUSED: "warn", REMOVING: "warn" };

export function PluginStatus({ plugin }: { plugin: Pick<Plugin, "status" | "pendingApprovalId"> }) {
  const t = useTexts(texts);
  const { status, pendingApprovalId } = plugin;
  const words = status in t ? t[status as "DRAFT"] : undefined;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge status={status} tone={tones[status] ?? "neutral"} label={words} />
      {pendingApprovalId !== undefined && <Badge tone="warn">{t.pending}</Badge>}
    </span>
  );
}

/** How it did in the last 15 minutes. */
export function PluginHealth({ plugin: { health } }: { plugin: Pick<Plugin, "health"> }) {
  const t = useTexts(texts);
  if (health === undefined) return <None />;
  const { calls, errors, p95Ms, breaker } = health;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {breaker === "OPEN" && <Badge tone="bad">{t.breakerOpen}</Badge>}
      {calls === 0 ? (
        <span className="text-muted">{t.noCallsLately}</span>
      ) : (
        <span className={errors > 0 ? "text-bad" : ""}>{t.healthOf(String(calls), String(errors), String(p95Ms))}</span>
      )}
    </span>
  );
}
