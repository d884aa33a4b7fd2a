import { useNavigate } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { DialogActions } from "../../ui/dialog";
import { Form, SelectField, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Page } from "../../ui/page";
import { Section } from "../../ui/panels";
import { useAgents } from "./list";
import { Fields, personalDefaults, personalDetails, PersonalFields, personalPaths } from "./personal-fields";
import { texts } from "./texts";

type Registration = Parameters<typeof api.people.registerCustomer>[0];

export default function RegisterCustomer() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const agents = useAgents();
  const { countries } = useOrganisation();
  const form = useActionForm({
    operation: "registerCustomer",
    run: (body: Registration, options) => api.people.registerCustomer(body, options),
    stales: ["customers", "home"],
    done: t.isRegistered,
    onDone: ({ customerId }) => void navigate({ to: `/customers/${customerId}` } as never),
    defaults: {
      firstName: "",
      lastName: "",
      email: "",
      phoneNumber: "",
      country: "",
      password: "",
      customerCode: "",
      agentId: "",
      ...personalDefaults(),
    },
    paths: personalPaths,
    toInput: (values): Registration => {
      const { firstName, lastName, email, phoneNumber, country, password, customerCode, agentId } = values;
      return {
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        email: email.trim(),
        country: country.trim().toUpperCase(),
        password,
        ...(phoneNumber.trim() && { phoneNumber: phoneNumber.replaceAll(/[\s().-]/g, "") }),
        ...(customerCode.trim() && { customerCode: customerCode.trim() }),
        ...(agentId && { agentId }),
        ...personalDetails(values),
      };
    },
  });
  const fields = form.form;
  return (
    <Page title={t.registerTitle} about={t.registerAbout} back={{ to: "/customers", label: t.title }}>
      <div className="max-w-3xl">
        <Section title={t.details}>
          <Form of={form}>
            <Fields legend={t.person}>
              <TextField form={fields} name="firstName" label={t.firstName} isRequired />
              <TextField form={fields} name="lastName" label={t.lastName} isRequired />
              <TextField form={fields} name="email" label={t.email} type="email" isRequired />
              <TextField form={fields} name="phoneNumber" label={t.phone} type="tel" hint={t.phoneHint} />
              <TextField
                form={fields}
                name="country"
                label={t.country}
                hint={t.countryHint}
                list={countries}
                isRequired
              />
              <TextField
                form={fields}
                name="password"
                label={t.firstPassword}
                type="password"
                autoComplete="new-password"
                hint={t.firstPasswordHint}
                isRequired
              />
              <TextField form={fields} name="customerCode" label={t.code} hint={t.codeHint} />
              {agents.length > 0 && (
                <SelectField
                  form={fields}
                  name="agentId"
                  label={t.agent}
                  nothing={t.noAgent}
                  options={agents.map(({ userId, name }) => ({ value: userId, label: name }))}
                />
              )}
            </Fields>
            <PersonalFields form={fields} />
            <DialogActions>
              <Button onClick={() => void navigate({ to: "/customers" } as never)}>{t.cancel}</Button>
              <SubmitButton of={form}>{t.register}</SubmitButton>
            </DialogActions>
          </Form>
        </Section>
      </div>
    </Page>
  );
}
