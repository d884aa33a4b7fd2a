import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { CheckField, Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import { texts } from "./texts";

type Change = Parameters<typeof api.security.changePassword>[0];

export function Password({ onChanged }: { onChanged?: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "changePassword",
    run: (body: Change, options) => api.security.changePassword(body, options),
    stales: ["tokens", "staff"],
    done: t.passwordChanged,
    ...(onChanged && { onDone: onChanged }),
    defaults: { currentPassword: "", newPassword: "", again: "", endApiTokens: true },
    toInput: ({ currentPassword, newPassword, endApiTokens }): Change => ({
      currentPassword,
      newPassword,
      endApiTokens,
    }),
  });
  return (
    <div className="max-w-lg">
      <Section title={t.changePassword}>
        <Form of={form}>
          <TextField
            form={form.form}
            name="currentPassword"
            label={t.currentPassword}
            type="password"
            autoComplete="current-password"
            isRequired
          />
          <TextField
            form={form.form}
            name="newPassword"
            label={t.newPassword}
            type="password"
            autoComplete="new-password"
            isRequired
          />
          <TextField
            form={form.form}
            name="again"
            label={t.again}
            type="password"
            autoComplete="new-password"
            check={(text) => (text === form.form.getValues("newPassword").trim() ? undefined : t.notSame)}
            isRequired
          />
          <CheckField form={form.form} name="endApiTokens" label={t.endApiTokens} hint={t.endApiTokensHint} />
          <div>
            <SubmitButton of={form}>{t.changePassword}</SubmitButton>
          </div>
        </Form>
      </Section>
    </div>
  );
}
