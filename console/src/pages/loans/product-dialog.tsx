import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { ProductFields } from "./product-fields";
import { productTexts } from "./product-texts";
import { defaultsOf, termsOf, type Terms, type ProductValues } from "./product-values";
import type { Product } from "./types";

/** Makes a product, or its next version. */
export function ProductDialog({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  const t = useTexts(productTexts);
  const { baseCurrency } = useOrganisation();
  const put = useAction({
    operation: "putLoanProduct",
    run: ({ productId, terms }: { productId: string; terms: Terms }, options) =>
      api.loans.putProduct(productId, terms, options),
    stales: ["loans"],
    done: product ? t.changed : t.created,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: defaultsOf(product, baseCurrency),
    action: put,
    toInput: (values: ProductValues) => ({ productId: values.productId.trim(), terms: termsOf(values) }),
  });
  return (
    <Dialog wide title={product ? t.changeTitle : t.newProduct} onClose={onClose}>
      <Form of={form}>
        <ProductFields form={form.form} isNew={!product} />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
