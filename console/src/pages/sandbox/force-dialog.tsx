import { decimal } from "@manilla/client";
import { useWatch } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { worded } from "../../ui/options";
import { texts } from "./texts";

type Forced = Parameters<typeof api.sandbox.forceOutcome>[0];

const ofChecks = ["ACCEPT", "REFUSE", "HANG", "LOSE_ANSWER", "ANSWER_LATE"];
const ofTransfers = [...ofChecks, "REFUSE_LATER", "STALL", "RETURN"];

/** As services/platform/sandbox/sandbox-outcomes.ts has them. */
const outcomes: Readonly<Record<string, readonly string[]>> = {
  PAYOUT: [...ofTransfers, "ANSWER_TWICE"],
  AMENDMENT: [...ofChecks, "STALL"],
  BANK_TRANSFER: ofTransfers,
  CARD_CHARGE: [...ofChecks, "STALL"],
  ACCOUNT_CHECK: ofChecks,
  BVN_LOOKUP: ofChecks,
  CONTACT_VERIFICATION: ofChecks,
  COMPLIANCE_DECISION: ["REVIEW", "REJECT", "SCREENING_UNAVAILABLE"],
};

export function ForceDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "forceOutcome",
    run: (body: Forced, options) => api.sandbox.forceOutcome(body, options),
    stales: ["home"],
    done: t.isForced,
    onDone: onClose,
    defaults: {
      of: "PAYOUT",
      outcome: "REFUSE",
      subject: "",
      times: "1",
      settleMs: "",
      delayMs: "",
      reason: "",
      kept: "",
    },
    keep: true,
    toInput: ({ of, outcome, subject, times, settleMs, delayMs, reason, kept }) => {
      const exact = typedAmount(kept);
      return {
        of,
        // The select shows the first one where another kind lacks what was chosen.
        outcome: outcomes[of]?.includes(outcome) ? outcome : outcomes[of]?.[0],
        times: Number(times),
        ...(subject.trim() && { subject: subject.trim() }),
        ...(settleMs && { settleMs: Number(settleMs) }),
        ...(delayMs && { delayMs: Number(delayMs) }),
        ...(reason.trim() && { reason: reason.trim() }),
        ...(exact !== undefined && { kept: decimal(exact) }),
      } as Forced;
    },
  });
  const fields = form.form;
  const [of, outcome] = useWatch({ control: fields.control, name: ["of", "outcome"] });
  const whole = (text: string) => (/^\d{1,9}$/.test(text) ? undefined : t.notWhole);
  return (
    <FormDialog title={t.force} of={form} submit={t.force} onClose={onClose}>
      <SelectField form={fields} name="of" label={t.of} options={worded(Object.keys(outcomes))} />
      <SelectField form={fields} name="outcome" label={t.outcome} options={worded(outcomes[of] ?? [])} />
      <TextField form={fields} name="subject" label={t.subject} hint={t.subjectHint} />
      <TextField
        form={fields}
        name="times"
        label={t.times}
        hint={t.timesHint}
        inputMode="numeric"
        check={whole}
        isRequired
      />
      {(outcome === "ANSWER_LATE" || outcome === "RETURN") && (
        <TextField form={fields} name="delayMs" label={t.delay} hint={t.delayHint} inputMode="numeric" check={whole} />
      )}
      {of === "PAYOUT" && (
        <TextField
          form={fields}
          name="settleMs"
          label={t.settle}
          hint={t.settleHint}
          inputMode="numeric"
          check={whole}
        />
      )}
      {outcome === "RETURN" && <AmountField form={fields} name="kept" label={t.kept} />}
      <TextField form={fields} name="reason" label={t.reason} />
    </FormDialog>
  );
}
