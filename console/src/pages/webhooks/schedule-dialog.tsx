import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

/** Of the sandbox alone. */
export function ScheduleDialog({ waitsS, onClose }: { waitsS: readonly number[]; onClose: () => void }) {
  const t = useTexts(texts);
  const set = useAction({
    operation: "setWebhookSchedule",
    run: (seconds: readonly number[], options) => api.webhooks.setSchedule({ waitsS: seconds }, options),
    stales: ["webhooks"],
    done: t.scheduleSet,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { waitsS: waitsS.join(", ") },
    action: set,
    toInput: (values) => secondsOf(values.waitsS),
  });
  return (
    <Dialog title={t.schedule} onClose={onClose}>
      <Form of={form}>
        <TextField
          form={form.form}
          name="waitsS"
          label={t.waits}
          hint={t.waitsHint}
          check={(text) => (secondsOf(text).some((each) => !Number.isSafeInteger(each)) ? t.waitsFault : undefined)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function secondsOf(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((each) => each !== "")
    .map(Number);
}
