import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SelectField, SubmitButton, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

const overlaps = [0, 1, 24, 72, 168] as const;

interface Props {
  endpointId: string;
  onMade: (secret: string) => void;
  onClose: () => void;
}

export function RotateDialog({ endpointId, onMade, onClose }: Props) {
  const t = useTexts(texts);
  const rotate = useAction({
    operation: "rotateWebhookSecret",
    run: (overlapHours: number, options) => api.webhooks.rotateSecret(endpointId, { overlapHours }, options),
    stales: ["webhooks"],
    onDone: ({ secret }) => onMade(secret),
  });
  const form = useActionForm({
    defaults: { overlapHours: "24" },
    action: rotate,
    keep: true,
    toInput: (values) => Number(values.overlapHours),
  });
  return (
    <Dialog title={t.rotateTitle} onClose={onClose}>
      <Form of={form}>
        <p className="text-muted">{t.rotateHint}</p>
        <SelectField
          form={form.form}
          name="overlapHours"
          label={t.overlap}
          options={overlaps.map((hours) => ({ value: String(hours), label: t.overlapOf(hours) }))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.rotate}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
