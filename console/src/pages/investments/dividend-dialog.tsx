import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { amountOf } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid } from "../../ui/field-grid";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { productTexts } from "./product-texts";
import type { Product } from "./types";

type Body = Parameters<typeof api.investments.declareDividend>[1];

interface Props {
  product: Product;
  onClose: () => void;
  onDeclared: (dividendId: string) => void;
}

/** Shares an amount among those who held units. */
export function DividendDialog({ product, onClose, onDeclared }: Props) {
  const t = useTexts(productTexts);
  const form = useActionForm({
    operation: "declareInvestmentDividend",
    run: (body: Body, options) => api.investments.declareDividend(product.id, body, options),
    stales: ["investments", "approvals", "home"],
    done: t.declared,
    onDone: ({ dividendId }) => {
      onDeclared(dividendId);
      onClose();
    },
    defaults: { from: "", to: "", amount: "" },
    toInput: ({ from, to, amount }) => ({ from, to, amount: amountOf(amount), currency: product.currency }) as Body,
  });
  return (
    <FormDialog
      title={t.declare}
      of={form}
      submit={t.declare}
      intro={<p className="mb-4 text-muted">{t.declareHint}</p>}
      onClose={onClose}
    >
      <FieldGrid>
        <TextField form={form.form} name="from" label={t.from} type="date" isRequired />
        <TextField form={form.form} name="to" label={t.to} type="date" hint={t.toHint} isRequired />
      </FieldGrid>
      <AmountField form={form.form} name="amount" label={`${t.amount} (${product.currency})`} isRequired />
    </FormDialog>
  );
}
