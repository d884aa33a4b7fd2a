import { useState } from "react";
import { casePriorities, caseTags } from "../../generated/enums";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { isStatus } from "../../lib/queries";
import { CheckField, SelectField, TextField, useFormOf } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { useOptions, useWord } from "../compliance/codes";
import { dayIn, endOfDay } from "../compliance/zoned";
import { texts } from "./texts";
import type { Case, CaseChange } from "./types";
import { useChange } from "./use-change";
import { useManagers } from "./use-managers";
import { WorkFacts } from "./work-facts";

interface Values {
  assignee: string;
  priority: string;
  due: string;
  tags: Record<string, boolean>;
}

/**
 * Sends what differs from when the dialog was opened, and nothing else: what
 * somebody else changed meanwhile stays.
 */
export function ChangeDialog({ of, onClose }: { of: Case; onClose: () => void }) {
  const t = useTexts(texts);
  const word = useWord();
  const optionsOf = useOptions();
  const { timeZone } = useOrganisation();
  const managers = useManagers();
  const change = useChange(of, t.changed, onClose);
  const [before] = useState(() => valuesOf(of, timeZone));
  const form = useFormOf(change, {
    defaults: before,
    paths: { dueAt: "due" },
    keep: true,
    toInput: (values: Values) => changeOf(values, before, of.tags, timeZone),
  });
  return (
    <FormDialog title={t.change} of={form} submit={t.saveChange} onClose={onClose}>
      {isStatus(change.error, 409) && (
        <div className="rounded-lg border border-line p-3">
          <p className="mb-2 font-medium">{t.asItIs}</p>
          <WorkFacts of={of} />
        </div>
      )}
      <SelectField form={form.form} name="assignee" label={t.assignee} nothing={t.nobody} options={managers} />
      <SelectField form={form.form} name="priority" label={t.priority} options={optionsOf(casePriorities)} />
      <TextField form={form.form} name="due" type="date" label={t.due} hint={t.dueHint(timeZone)} />
      <fieldset>
        <legend className="mb-1 font-medium">{t.tags}</legend>
        <div className="grid grid-cols-1 gap-1 sm:grid-cols-2">
          {caseTags.map((tag) => (
            <CheckField key={tag} form={form.form} name={`tags.${tag}`} label={word(tag)} />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}

function valuesOf({ assignee = "", priority, dueAt, tags: chosen }: Case, zone: string): Values {
  return {
    assignee,
    priority,
    due: dayIn(dueAt, zone),
    tags: Object.fromEntries(caseTags.map((tag) => [tag, chosen.includes(tag)])),
  };
}

function changeOf(values: Values, before: Values, tagsNow: Case["tags"], zone: string): CaseChange {
  const changed = caseTags.filter((tag) => Boolean(values.tags[tag]) !== Boolean(before.tags[tag]));
  // All tags are sent: those that were not touched here are as they stand by now.
  const wanted = caseTags.filter((tag) => (changed.includes(tag) ? values.tags[tag] : tagsNow.includes(tag)));
  return {
    ...(values.assignee !== before.assignee && { assignee: values.assignee }),
    ...(values.priority !== before.priority && { priority: values.priority as (typeof casePriorities)[number] }),
    ...(values.due !== before.due && values.due !== "" && { dueAt: endOfDay(values.due, zone) }),
    ...(changed.length > 0 && { tags: wanted }),
  };
}
