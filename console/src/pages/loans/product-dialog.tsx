import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { ProductFields } from "./product-fields";
import { productTexts } from "./product-texts";
import { defaultsOf, termsOf, type Terms, type ProductValues } from "./product-values";
import type { Product } from "./types";

/** Makes a product, or its next version. */
export function ProductDialog({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  const t = useTexts(productTexts);
  const { baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "putLoanProduct",
    run: ({ productId, terms }: { productId: string; terms: Terms }, options) =>
      api.loans.putProduct(productId, terms, options),
    stales: ["loans"],
    done: product ? t.changed : t.created,
    onDone: onClose,
    defaults: defaultsOf(product, baseCurrency),
    toInput: (values: ProductValues) => ({ productId: values.productId.trim(), terms: termsOf(values) }),
  });
  return (
    <FormDialog wide title={product ? t.changeTitle : t.newProduct} of={form} submit={t.save} onClose={onClose}>
      <ProductFields form={form.form} isNew={!product} />
    </FormDialog>
  );
}
