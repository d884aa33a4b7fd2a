import { ApiError } from "@manilla/client";
import { useEffect, useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import {
  Fields,
  personalDefaults,
  personalDetails,
  PersonalFields,
  personalPaths,
  type PersonalValues,
} from "../customers/personal-fields";
import { useFocus } from "../../ui/use-focus";
import { texts } from "./texts";

type Body = Parameters<typeof api.people.registerAtCounter>[0];
interface Values extends PersonalValues {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
  country: string;
}

interface Props {
  onRegistered: (customerCode: string) => void;
  onCancel: () => void;
}

/** Somebody who was never here: as they and their document say. */
export function Register({ onRegistered, onCancel }: Props) {
  const t = useTexts(texts);
  const { countries } = useOrganisation();
  // Those who were looked at, and are somebody else: for what is sent next.
  const others = useRef<readonly string[]>([]);
  const form = useActionForm({
    operation: "registerAtCounter",
    run: (body: Body, options) => api.people.registerAtCounter(body, options),
    stales: ["customers"],
    done: t.registered,
    onDone: ({ customerCode }) => onRegistered(customerCode),
    defaults: { firstName: "", lastName: "", phoneNumber: "", email: "", country: "", ...personalDefaults() },
    paths: personalPaths,
    keep: true,
    toInput: (values: Values): Body => {
      const notDuplicates = [...others.current];
      others.current = [];
      const { firstName, lastName, phoneNumber, email, country } = values;
      return {
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        country: country.trim().toUpperCase(),
        ...(phoneNumber.trim() && { phoneNumber: phoneNumber.trim() }),
        ...(email.trim() && { email: email.trim() }),
        ...personalDetails(values),
        ...(notDuplicates.length > 0 && { notDuplicates }),
      } as Body;
    },
  });
  const fields = form.form;
  const duplicates = duplicatesOf(form.error);
  useEffect(() => fields.setFocus("firstName"), []);
  return (
    <Section title={t.registerTitle}>
      <p className="mb-3 text-muted">{t.registerAbout}</p>
      <Form of={form}>
        {duplicates.length > 0 && (
          <Question
            codes={duplicates}
            isRunning={form.isRunning}
            onIs={onRegistered}
            onNone={(codes) => {
              others.current = codes;
              form.submit();
            }}
          />
        )}
        <Fields legend={t.name}>
          <TextField form={fields} name="firstName" label={t.firstName} isRequired />
          <TextField form={fields} name="lastName" label={t.lastName} isRequired />
          <TextField form={fields} name="phoneNumber" label={t.phone} type="tel" />
          <TextField form={fields} name="email" label={t.email} type="email" />
          <TextField form={fields} name="country" label={t.country} hint={t.countryHint} list={countries} isRequired />
        </Fields>
        <PersonalFields form={fields} />
        <DialogActions>
          <Button onClick={onCancel}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.register}</SubmitButton>
        </DialogActions>
      </Form>
    </Section>
  );
}

function duplicatesOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== "POSSIBLE_DUPLICATE") return [];
  const { customerCodes = "" } = error.figures;
  return customerCodes.split(/[\s,]+/).filter(Boolean);
}

interface DuplicateProps {
  codes: readonly string[];
  isRunning: boolean;
  onIs: (customerCode: string) => void;
  onNone: (codes: readonly string[]) => void;
}

/** Takes the focus: the form that it stands above is long. */
function Question({ codes, isRunning, onIs, onNone }: DuplicateProps) {
  const first = useFocus<HTMLDivElement>("button");
  const t = useTexts(texts);
  return (
    <div ref={first} className="flex flex-wrap items-center gap-2 rounded-lg border border-line px-3 py-2.5">
      <p className="w-full">{t.maybeThey}</p>
      {codes.map((code) => (
        <Button key={code} onClick={() => onIs(code)}>
          {t.itIs(code)}
        </Button>
      ))}
      <Button variant="danger" busy={isRunning} onClick={() => onNone(codes)}>
        {t.noneOfThem}
      </Button>
    </div>
  );
}
