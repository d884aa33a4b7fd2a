import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Closing } from "./types";

export function PackageBadge({ status }: { status: Closing["packageStatus"] }) {
  const t = useTexts(texts);
  const labels: Readonly<Record<string, string>> = { QUEUED: t.QUEUED, RUNNING: t.RUNNING, DONE: t.DONE };
  return (
    <StatusBadge status={status} label={labels[status] ?? inWords(status)} tone={status === "DONE" ? "good" : "warn"} />
  );
}
