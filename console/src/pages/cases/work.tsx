import { BellOff, Pencil } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Ago, None, Time } from "../../ui/figures";
import { ErrorPanel, Section } from "../../ui/panels";
import { useWord } from "../compliance/codes";
import { DeskButton, OnDeskOf } from "../compliance/desk";
import { complianceTexts } from "../compliance/texts";
import { Priority } from "./badges";
import { ChangeDialog } from "./change-dialog";
import type { Case } from "./read-case";
import { SnoozeDialog } from "./snooze-dialog";
import { texts } from "./texts";
import { useChange } from "./use-change";

/** Who works a case, until when, and how urgent it is. */
export function Work({ of }: { of: Case }) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<"change" | "snooze">();
  const wake = useChange(of, t.woken);
  const isClosed = of.status === "CLOSED";
  return (
    <Section
      title={t.work}
      actions={
        !isClosed && (
          <Button icon={Pencil} onClick={() => setOpen("change")}>
            {t.change}
          </Button>
        )
      }
    >
      <WorkFacts of={of} />
      <ErrorPanel error={wake.error} />
      {!isClosed && (
        <div className="mt-3 flex flex-wrap gap-2">
          <DeskButton caseId={of.caseId} assignee={of.assignee} />
          {of.snoozedUntil === undefined ? (
            <Button icon={BellOff} onClick={() => setOpen("snooze")}>
              {t.snooze}
            </Button>
          ) : (
            <Button busy={wake.isRunning} onClick={() => void wake.run({ endSnooze: true })}>
              {t.wake}
            </Button>
          )}
        </div>
      )}
      {open === "change" && <ChangeDialog of={of} onClose={() => setOpen(undefined)} />}
      {open === "snooze" && <SnoozeDialog of={of} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

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
