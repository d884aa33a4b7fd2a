import { useTexts } from "../../lib/language";
import { Diff } from "../../ui/facts";
import { inWords } from "../../ui/words";
import { useWord } from "../compliance/codes";
import { texts } from "./texts";
import type { Approval } from "./types";

/** Hits that are confirmed or let go, and what becomes of the transactions that they stopped. */
export function HitChanges({ approval }: { approval: Approval }) {
  const t = useTexts(texts);
  const word = useWord();
  const hits = approval.hits ?? [];
  const [first] = hits;
  const { transactionCount = 0, releasedAs } = first ?? {};
  const isConfirmation = approval.kind === "SCREENING_CONFIRMATION";
  const then = isConfirmation ? word("BLOCKED") : releasedAs === "REFUND" ? t.areRefunded : t.goOn;
  return (
    <div className="flex flex-col gap-2">
      <Diff
        changes={[
          ...hits.map(({ hit }) => ({
            field: `${hit.subject.name ?? ""} = ${hit.matchedName} · ${word(hit.source)}`,
            before: word(hit.state),
            after: word(isConfirmation ? "CONFIRMED" : "RELEASED"),
          })),
          ...(transactionCount > 0
            ? [
                {
                  field: t.transactions(String(transactionCount)),
                  before: isConfirmation ? t.asTheyAre : inWords("BLOCKED"),
                  after: then,
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}
