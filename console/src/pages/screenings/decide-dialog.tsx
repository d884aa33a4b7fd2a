import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import type { Screening } from "../compliance/types";
import { endOfDay } from "../compliance/zoned";
import { texts } from "./texts";

export type Decision = "FALSE_POSITIVE" | "CONFIRMED";

interface Props {
  screening: Screening;
  decision: Decision;
  hitIds: readonly string[];
  onClose: () => void;
}

/** The same word, with its reason, on one hit or on several: all of them or none. */
export function DecideDialog({ screening, decision, hitIds, onClose }: Props) {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const isSame = decision === "CONFIRMED";
  const form = useActionForm({
    operation: "decideScreeningHits",
    run: (input: { reason: string; exemptUntil?: string }, options) =>
      api.compliance.decideScreeningHits(screening.screeningId, { hitIds, decision, ...input }, options),
    stales: ["screenings", "cases", "reviews", "approvals", "transactions", "home"],
    done: isSame ? t.confirmationAsked : t.toldApart,
    onDone: onClose,
    defaults: { reason: "", until: "" },
    paths: { exemptUntil: "until" },
    keep: true,
    toInput: ({ reason, until }) => ({
      reason: reason.trim(),
      ...(until && { exemptUntil: endOfDay(until, timeZone) }),
    }),
  });
  const names = screening.hits.filter(({ hitId }) => hitIds.includes(hitId)).map(({ matchedName }) => matchedName);
  return (
    <FormDialog
      title={isSame ? t.sameTitle : t.anotherTitle}
      of={form}
      submit={isSame ? t.askConfirmation : t.another}
      danger={isSame}
      intro={
        <div className="mb-4 flex flex-col gap-2">
          <p>
            <strong>
              <bdi>{screening.subject.name}</bdi>
            </strong>{" "}
            {isSame ? "=" : "≠"} <bdi>{names.join(" · ")}</bdi>
          </p>
          <p className="text-muted">{isSame ? t.sameHint : t.anotherHint}</p>
        </div>
      }
      onClose={onClose}
    >
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
      {!isSame && (
        <TextField form={form.form} name="until" type="date" label={t.exemptUntil} hint={t.exemptHint(timeZone)} />
      )}
    </FormDialog>
  );
}
