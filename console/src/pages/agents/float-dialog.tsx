import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { agentStales } from "./queries";
import { texts } from "./texts";
import type { FloatRequest } from "./types";

/** Money of a bank that becomes an agent's, or goes back to one; another manager approves it. */
export function FloatDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "moveAgentFloat",
    run: (body: FloatRequest, options) => api.agents.moveAgentFloat(agentId, body, options),
    stales: agentStales,
    done: t.askedFor,
    onDone: onClose,
    defaults: { direction: "TOP_UP", currency: baseCurrency, amount: "", bank: "", reference: "" },
    toInput: (values): FloatRequest => ({
      direction: values.direction as FloatRequest["direction"],
      currency: values.currency as FloatRequest["currency"],
      amount: decimal(typedAmount(values.amount) ?? ""),
      ...(values.bank.trim() && { bank: values.bank.trim() }),
      reference: values.reference.trim(),
    }),
  });
  return (
    <FormDialog title={t.floatTitle} of={form} submit={t.ask} onClose={onClose}>
      <SelectField
        form={form.form}
        name="direction"
        label={t.direction}
        options={(["TOP_UP", "TAKE_BACK"] as const).map((value) => ({ value, label: t[value] }))}
      />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <AmountField form={form.form} name="amount" label={t.amount} isRequired />
      <TextField form={form.form} name="bank" label={t.bank} hint={t.bankHint} />
      <TextField form={form.form} name="reference" label={t.reference} hint={t.referenceHint} isRequired />
    </FormDialog>
  );
}
