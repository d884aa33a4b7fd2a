import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { SelectField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";

const overlaps = [0, 1, 24, 72, 168] as const;

interface Props {
  endpointId: string;
  onMade: (secret: string) => void;
  onClose: () => void;
}

export function RotateDialog({ endpointId, onMade, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "rotateWebhookSecret",
    run: (overlapHours: number, options) => api.webhooks.rotateSecret(endpointId, { overlapHours }, options),
    stales: ["webhooks"],
    onDone: ({ secret }) => onMade(secret),
    defaults: { overlapHours: "24" },
    keep: true,
    toInput: (values) => Number(values.overlapHours),
  });
  return (
    <FormDialog title={t.rotateTitle} of={form} submit={t.rotate} onClose={onClose}>
      <p className="text-muted">{t.rotateHint}</p>
      <SelectField
        form={form.form}
        name="overlapHours"
        label={t.overlap}
        options={overlaps.map((hours) => ({ value: String(hours), label: t.overlapOf(hours) }))}
      />
    </FormDialog>
  );
}
