import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { TextField, useFormOf } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { momentIn } from "../compliance/zoned";
import { texts } from "./texts";
import type { Case } from "./types";
import { useChange } from "./use-change";

export function SnoozeDialog({ of, onClose }: { of: Case; onClose: () => void }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const snooze = useChange(of, t.snoozed, onClose);
  const form = useFormOf(snooze, {
    defaults: { until: "" },
    paths: { snoozedUntil: "until" },
    keep: true,
    toInput: ({ until }) => ({ snoozedUntil: momentIn(until, timeZone) }),
  });
  return (
    <FormDialog
      title={t.snooze}
      of={form}
      submit={t.snooze}
      intro={<p className="mb-4 text-muted">{t.snoozeHint}</p>}
      onClose={onClose}
    >
      <TextField
        form={form.form}
        name="until"
        type="datetime-local"
        label={t.until}
        hint={t.inZone(timeZone)}
        isRequired
      />
    </FormDialog>
  );
}
