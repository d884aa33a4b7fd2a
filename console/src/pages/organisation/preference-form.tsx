import { useState, type ReactNode } from "react";
import { agentScopes } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Diff } from "../../ui/facts";
import { CheckField, Form, SelectField, TextArea, TextField, useFormOf } from "../../ui/form";
import { Section } from "../../ui/panels";
import { useToast } from "../../ui/toast";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { RequiredDetails } from "./required-details";
import { texts } from "./texts";
import type { Preference } from "./types";
import { changeOf, differenceOf, flags, valuesOf, type PreferenceValues } from "./values";

/** The preference as a form: what would change is shown before it is saved, with its reason. */
export function PreferenceForm({ preference }: { preference: Preference }) {
  const t = useTexts(texts);
  const toast = useToast();
  const [reviewed, setReviewed] = useState<PreferenceValues>();
  const review = useFormOf(
    {
      run: (values: PreferenceValues) => Promise.resolve(check(values)),
      isRunning: false,
      error: undefined,
      reset: () => {},
    },
    { defaults: valuesOf(preference), toInput: (values: PreferenceValues) => structuredClone(values), keep: true },
  );
  function check(values: PreferenceValues): true {
    if (differenceOf(preference, values).length === 0) toast(t.nothingChanged);
    else setReviewed(values);
    return true;
  }
  const { form } = review;
  return (
    <div className="max-w-4xl">
      <Form of={review}>
        <Part title={t.where}>
          <TextField form={form} name="currencies" label={t.currencies} hint={t.codesHint} isRequired />
          <TextField form={form} name="countries" label={t.countries} hint={t.codesHint} isRequired />
          <TextField
            form={form}
            name="timeZone"
            label={t.timeZone}
            hint={t.timeZoneHint}
            list={Intl.supportedValuesOf("timeZone")}
            isRequired
          />
          <TextField form={form} name="locale" label={t.locale} hint={t.localeHint} isRequired />
        </Part>
        <Part title={t.who}>
          <SelectField
            form={form}
            name="agentScope"
            label={t.agentScope}
            hint={t.agentScopeHint}
            {...(preference.agentScope === undefined && { nothing: t.agentScopeUnset })}
            options={agentScopes.map((value) => ({ value, label: t[value] }))}
          />
          <div className="flex flex-col gap-2">
            {flags.map((flag) => (
              <CheckField key={flag} form={form} name={flag} label={t[flag]} />
            ))}
            <CheckField form={form} name="otp" label={t.otp} />
            <CheckField form={form} name="pin" label={t.pin} />
          </div>
        </Part>
        <Part title={t.ceilings} hint={t.ceilingsHint}>
          {Object.keys(form.getValues("ceilings")).map((currency) => (
            <AmountField key={currency} form={form} name={`ceilings.${currency}`} label={t.ceilingIn(currency)} />
          ))}
        </Part>
        <Part title={t.requiredDetails} hint={t.requiredDetailsHint}>
          <RequiredDetails form={form} />
        </Part>
        <Part title={t.corsOrigins}>
          <TextArea form={form} name="corsOrigins" label={t.corsOrigins} hint={t.corsOriginsHint} />
        </Part>
        <div className="sticky bottom-0 -mx-1 flex flex-wrap justify-end gap-2 border-t border-line bg-canvas px-1 py-3">
          <Button onClick={() => form.reset()}>{t.undo}</Button>
          <Button type="submit" variant="primary">
            {t.review}
          </Button>
        </div>
      </Form>
      {reviewed && <SaveDialog preference={preference} values={reviewed} onClose={() => setReviewed(undefined)} />}
    </div>
  );
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Section title={title}>
      {hint && <p className="mb-3 text-muted">{hint}</p>}
      <div className="grid grid-cols-1 gap-x-4 gap-y-3.5 sm:grid-cols-2">{children}</div>
    </Section>
  );
}

interface SaveProps {
  preference: Preference;
  values: PreferenceValues;
  onClose: () => void;
}

function SaveDialog({ preference, values, onClose }: SaveProps) {
  const t = useTexts(texts);
  const save = useAction({
    operation: "changeOrganisationPreference",
    run: (reason: string, options) =>
      api.organisation.changePreference({ ...changeOf(preference, values), reason }, options),
    stales: ["organisation", "approvals"],
    done: ({ approval }) => (approval === undefined ? t.isSaved : t.waits),
  });
  const words = { ...t, amountCeilings: t.ceilings } as unknown as Readonly<Record<string, string>>;
  return (
    <ConfirmDialog title={t.saveTitle} confirm={t.save} action={save} onClose={onClose}>
      <p className="mb-2 text-muted">{t.saveHint}</p>
      <Diff
        changes={differenceOf(preference, values).map(({ member, before, after }) => ({
          field: words[member] ?? inWords(member),
          before: before || undefined,
          after: after || undefined,
        }))}
      />
    </ConfirmDialog>
  );
}
