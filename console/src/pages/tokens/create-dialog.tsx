import { useState } from "react";
import { apiTokenExpiries } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SelectField, TextField, useActionForm } from "../../ui/form";
import { ProofFields, proofDefaults, proofOf } from "./proof-fields";
import { scopesFor } from "./scopes";
import { texts } from "./texts";

type NewToken = Parameters<typeof api.apiTokens.create>[0];

export function CreateDialog({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const t = useTexts(texts);
  const all = scopesFor(useUser());
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const form = useActionForm({
    operation: "createApiToken",
    run: (body: NewToken, options) => api.apiTokens.create(body, options),
    stales: ["tokens"],
    onDone: ({ token }) => onMade(token),
    defaults: { name: "", expiry: "1_MONTH", ...proofDefaults },
    keep: true,
    toInput: ({ name, expiry, ...proof }): NewToken => ({
      name: name.trim(),
      expiry: expiry as NewToken["expiry"],
      scopes,
      ...proofOf(proof),
    }),
  });
  return (
    <Dialog title={t.createTitle} wide onClose={onClose}>
      <Form of={form}>
        <TextField form={form.form} name="name" label={t.name} hint={t.nameHint} isRequired />
        <SelectField
          form={form.form}
          name="expiry"
          label={t.endsAfter}
          options={apiTokenExpiries.map((value) => ({ value, label: t[value] }))}
        />
        <fieldset>
          <legend className="mb-1 font-medium">{t.scopes}</legend>
          <p className="mb-2 text-xs text-muted">{t.scopesHint}</p>
          <ul className="grid grid-cols-1 gap-1 sm:grid-cols-2 lg:grid-cols-3">
            {all.map((scope) => (
              <li key={scope}>
                <label className="flex items-center gap-2">
                  <input
                    type="checkbox"
                    className="size-4 accent-(--accent)"
                    checked={scopes.includes(scope)}
                    onChange={({ target: { checked } }) =>
                      setScopes((chosen) => (checked ? [...chosen, scope] : chosen.filter((one) => one !== scope)))
                    }
                  />
                  <span className="font-mono text-xs">{scope}</span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        <ProofFields form={form.form} />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="primary" busy={form.isRunning} disabled={scopes.length === 0}>
            {t.create}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
