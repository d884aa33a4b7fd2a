import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { SubjectName } from "../compliance/subject";
import { texts } from "./texts";
import type { Review } from "./types";
import { Why } from "./why";

/** Such a review is told apart on its hit, or decided anew by itself once the lists are back. */
const restsOnLists = (review: Review) => review.reason.startsWith("SCREENING_");

export function DecideDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const t = useTexts(texts);
  const isRefusalOnly = restsOnLists(review);
  const form = useActionForm({
    operation: "decideComplianceReview",
    run: (input: { approve: boolean; reason: string }, options) =>
      api.compliance.decideReview(review.transactionId, input, options),
    stales: ["reviews", "cases", "transactions", "home"],
    done: ({ decision }) => (decision === "APPROVED" ? t.goesOn : t.isRefused),
    onDone: onClose,
    defaults: { how: isRefusalOnly ? "refuse" : "", reason: "" },
    keep: true,
    toInput: ({ how, reason }) => ({ approve: how === "approve", reason: reason.trim() }),
  });
  const isRefusal = form.form.watch("how") === "refuse";
  return (
    <FormDialog
      title={t.decideTitle}
      of={form}
      submit={t.decide}
      danger={isRefusal}
      intro={
        <div className="mb-4 flex flex-col gap-3">
          <KeyValue
            columns={2}
            facts={[
              { label: t.customer, value: <SubjectName name={review.customerName} state={review.customerNameState} /> },
              { label: t.amount, value: <Money amount={review.amount} currency={review.currency} /> },
              { label: t.recipient, value: review.recipientName ?? review.recipient },
              { label: t.because, value: <Why review={review} /> },
            ]}
          />
          {isRefusalOnly && <p className="rounded-lg bg-warn-soft px-3 py-2 text-warn">{t.restsOnLists}</p>}
        </div>
      }
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="how"
        label={t.decision}
        isRequired
        nothing={t.choose}
        options={[
          ...(isRefusalOnly ? [] : [{ value: "approve", label: t.letGoOn }]),
          { value: "refuse", label: t.refuseIt },
        ]}
      />
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
    </FormDialog>
  );
}
