import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge, type Tone } from "../../ui/badge";
import { texts } from "./texts";
import type { Verification } from "./types";

const pollMs = 2_000;
const tones: Readonly<Record<string, Tone>> = { RUNNING: "accent", PASSED: "good", FAILED: "bad" };

/** No event tells how far it is: while it runs it is asked. */
export function useVerification(verificationId: string) {
  return useQuery({
    ...read("ledger", "readLedgerVerification", { verificationId }, (options) =>
      api.ledger.readVerification(verificationId, options),
    ),
    refetchInterval: ({ state: { data } }) => data?.status === "RUNNING" && pollMs,
  });
}

export function VerificationStatus({ status }: { status: string }) {
  const t = useTexts(texts);
  const words: Readonly<Record<string, string>> = { RUNNING: t.RUNNING, PASSED: t.PASSED, FAILED: t.FAILED };
  return <StatusBadge status={status} label={words[status]} tone={tones[status] ?? "accent"} />;
}

/** How far it is: of a row in a list, read anew while it runs. */
export function Progress({ verification: row }: { verification: Verification }) {
  const t = useTexts(texts);
  return row.status === "RUNNING" ? (
    <Running row={row} />
  ) : (
    <>{t.of(String(row.checkedSequence), String(row.lastSequence))}</>
  );
}

function Running({ row }: { row: Verification }) {
  const t = useTexts(texts);
  const { checkedSequence, lastSequence } = useVerification(row.verificationId).data ?? row;
  const [done, all] = [Number(checkedSequence), Number(lastSequence)];
  const text = t.of(String(checkedSequence), String(lastSequence));
  return (
    <span className="inline-flex items-center gap-2">
      <progress className="h-2 w-28 accent-(--accent)" max={Math.max(1, all)} value={done} aria-label={t.checked} />
      <span className="figures">{text}</span>
    </span>
  );
}
