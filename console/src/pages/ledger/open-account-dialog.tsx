import { useNavigate } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { accountPage } from "./paths";
import { texts } from "./texts";

type Request = Parameters<typeof api.books.openAccount>[0];

/** An account of the organisation's own; opened twice it is one. */
export function OpenAccountDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { currencies } = useOrganisation();
  const form = useActionForm({
    operation: "openBookAccount",
    run: (account: Request, options) => api.books.openAccount(account, options),
    stales: ["ledger", "books"],
    done: ({ accountId }) => t.accountOpened(accountId),
    onDone: ({ accountId }) => void navigate({ to: accountPage(accountId) }),
    defaults: { code: "own_bank", currency: currencies[0] ?? "USD", name: "" },
    toInput: (values): Request => ({
      code: values.code as Request["code"],
      currency: values.currency as Request["currency"],
      name: values.name.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.openAccount}
      of={form}
      submit={t.openAccount}
      intro={<p className="mb-4 text-muted">{t.openAccountHint}</p>}
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="code"
        label={t.kind}
        options={[
          { value: "own_bank", label: t.own_bank },
          { value: "operating_expense", label: t.operating_expense },
        ]}
      />
      <TextField form={form.form} name="name" label={t.name} hint={t.nameHint} isRequired />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
    </FormDialog>
  );
}
