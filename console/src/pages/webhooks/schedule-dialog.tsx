import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";

/** Of the sandbox alone. */
export function ScheduleDialog({ waitsS, onClose }: { waitsS: readonly number[]; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "setWebhookSchedule",
    run: (seconds: readonly number[], options) => api.webhooks.setSchedule({ waitsS: seconds }, options),
    stales: ["webhooks"],
    done: t.scheduleSet,
    onDone: onClose,
    defaults: { waitsS: waitsS.join(", ") },
    toInput: (values) => secondsOf(values.waitsS),
  });
  return (
    <FormDialog title={t.schedule} of={form} submit={t.save} onClose={onClose}>
      <TextField
        form={form.form}
        name="waitsS"
        label={t.waits}
        hint={t.waitsHint}
        check={(text) => (secondsOf(text).some((each) => !Number.isSafeInteger(each)) ? t.waitsFault : undefined)}
      />
    </FormDialog>
  );
}

function secondsOf(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((each) => each !== "")
    .map(Number);
}
