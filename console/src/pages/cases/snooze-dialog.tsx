import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { momentIn } from "../compliance/zoned";
import { texts } from "./texts";
import type { Case } from "./types";
import { useChange } from "./use-change";

export function SnoozeDialog({ of, onClose }: { of: Case; onClose: () => void }) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const snooze = useChange(of, t.snoozed, onClose);
  const form = useActionForm({
    defaults: { until: "" },
    action: snooze,
    paths: { snoozedUntil: "until" },
    keep: true,
    toInput: ({ until }) => ({ snoozedUntil: momentIn(until, timeZone) }),
  });
  return (
    <Dialog title={t.snooze} onClose={onClose}>
      <p className="mb-4 text-muted">{t.snoozeHint}</p>
      <Form of={form}>
        <TextField
          form={form.form}
          name="until"
          type="datetime-local"
          label={t.until}
          hint={t.inZone(timeZone)}
          isRequired
        />
        <DialogActions>
          <Button onClick={onClose}>{t.leave}</Button>
          <SubmitButton of={form}>{t.snooze}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
