import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { SelectField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { ProofFields, proofDefaults, proofOf } from "./proof-fields";
import { texts } from "./texts";
import type { ApiToken } from "./types";

type Rotation = Parameters<typeof api.apiTokens.rotate>[1];
const overlapsS = ["0", "3600", "86400", "604800"] as const;

interface Props {
  token: ApiToken;
  onMade: (token: string) => void;
  onClose: () => void;
}

/** Another secret for the same token; the one before works on for the overlap. */
export function RotateDialog({ token, onMade, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "rotateApiToken",
    run: (body: Rotation, options) => api.apiTokens.rotate(token.id, body, options),
    stales: ["tokens"],
    onDone: (made) => onMade(made.token),
    defaults: { overlapSeconds: "3600", ...proofDefaults },
    keep: true,
    toInput: ({ overlapSeconds, ...proof }): Rotation => ({
      overlapSeconds: Number(overlapSeconds),
      ...proofOf(proof),
    }),
  });
  const labels = { "0": t.noOverlap, "3600": t.hour, "86400": t.day, "604800": t.week };
  return (
    <FormDialog
      title={t.rotateTitle}
      of={form}
      submit={t.rotate}
      intro={<p className="mb-4 text-muted">{t.rotateHint}</p>}
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="overlapSeconds"
        label={t.overlap}
        options={overlapsS.map((value) => ({ value, label: labels[value] }))}
      />
      <ProofFields form={form.form} />
    </FormDialog>
  );
}
