import { BellOff, Pencil } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { ErrorPanel, Section } from "../../ui/panels";
import { DeskButton } from "../compliance/desk";
import { ChangeDialog } from "./change-dialog";
import { SnoozeDialog } from "./snooze-dialog";
import { texts } from "./texts";
import type { Case } from "./types";
import { useChange } from "./use-change";
import { WorkFacts } from "./work-facts";

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
