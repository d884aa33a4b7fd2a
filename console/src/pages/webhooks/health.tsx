import { useTexts } from "../../lib/language";
import { Badge, StatusBadge } from "../../ui/badge";
import { Ago } from "../../ui/figures";
import { texts } from "./texts";
import type { Endpoint } from "./types";

/** Whether it gets what it should: the status, and since when nothing arrives. */
export function Health({ endpoint }: { endpoint: Pick<Endpoint, "status" | "failingSince"> }) {
  const t = useTexts(texts);
  const { status, failingSince } = endpoint;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge status={status} label={statusWords(t, status)} />
      {failingSince !== undefined && (
        <Badge tone="bad">
          {t.failing} <Ago at={failingSince} />
        </Badge>
      )}
    </span>
  );
}

function statusWords(t: Readonly<Record<"ACTIVE" | "PAUSED" | "DISABLED", string>>, status: string) {
  return status in t ? t[status as keyof typeof t] : undefined;
}
