import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Ago, None, Time } from "../../ui/figures";
import { useWord } from "../compliance/codes";
import { OnDeskOf } from "../compliance/desk";
import { complianceTexts } from "../compliance/texts";
import { Priority } from "./badges";
import { texts } from "./texts";
import type { Case } from "./types";

/** How urgent a case is, whose it is and until when. */
export function WorkFacts({ of }: { of: Case }) {
  const t = useTexts(texts);
  const desk = useTexts(complianceTexts);
  const word = useWord();
  return (
    <KeyValue
      columns={1}
      hideEmpty
      facts={[
        { label: desk.desk, value: <OnDeskOf assignee={of.assignee} /> },
        { label: t.priority, value: <Priority priority={of.priority} /> },
        {
          label: t.due,
          value: (
            <>
              <Time at={of.dueAt} />{" "}
              {of.status !== "CLOSED" && (
                <span className={Date.parse(of.dueAt) < Date.now() ? "font-medium text-bad" : "text-muted"}>
                  (<Ago at={of.dueAt} />)
                </span>
              )}
            </>
          ),
        },
        { label: t.snoozedUntil, value: of.snoozedUntil && <Time at={of.snoozedUntil} /> },
        {
          label: t.tags,
          value:
            of.tags.length === 0 ? (
              <None />
            ) : (
              <span className="flex flex-wrap gap-1">
                {of.tags.map((tag) => (
                  <Badge key={tag}>{word(tag)}</Badge>
                ))}
              </span>
            ),
        },
      ]}
    />
  );
}
