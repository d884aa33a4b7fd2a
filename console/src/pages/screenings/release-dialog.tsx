import { releases } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { useOptions } from "../compliance/codes";
import type { Screening } from "../compliance/types";
import { texts } from "./texts";

type Input = Parameters<typeof api.compliance.releaseScreeningHit>[2];

/** Asks that what confirmed hits have stopped goes on or is refunded; a second manager decides. */
export function ReleaseDialog({
  screening,
  hitId,
  onClose,
}: {
  screening: Screening;
  hitId: string;
  onClose: () => void;
}) {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const form = useActionForm({
    operation: "releaseScreeningHit",
    run: (input: Input, options) => api.compliance.releaseScreeningHit(screening.screeningId, hitId, input, options),
    stales: ["screenings", "cases", "approvals", "transactions"],
    done: t.releaseAsked,
    onDone: onClose,
    defaults: { transactions: "", reason: "" },
    keep: true,
    toInput: ({ transactions, reason }): Input => ({
      transactions: transactions as Input["transactions"],
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.releaseTitle}
      of={form}
      submit={t.askRelease}
      intro={<p className="mb-4 text-muted">{t.releaseHint}</p>}
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="transactions"
        label={t.stopped}
        isRequired
        nothing={t.chooseOne}
        options={optionsOf(releases)}
      />
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
    </FormDialog>
  );
}
