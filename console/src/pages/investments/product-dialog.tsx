import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { ProductFields } from "./product-fields";
import { productTexts } from "./product-texts";
import { defaultsOf, bodyOf, type Body } from "./product-values";
import type { Product } from "./types";

/** Makes a product under an id of its own, or its next version. */
export function ProductDialog({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  const t = useTexts(productTexts);
  const { baseCurrency } = useOrganisation();
  // One id however often it is tried: a second try makes no second product.
  const [id] = useState(() => product?.id ?? crypto.randomUUID());
  const form = useActionForm({
    operation: "putInvestmentProduct",
    run: (body: Body, options) => api.investments.putProduct(id, body, options),
    stales: ["investments"],
    done: product ? t.changed : t.created,
    onDone: onClose,
    defaults: defaultsOf(product, baseCurrency),
    paths: {
      "penalty.kind": "penaltyKind",
      "penalty.bps": "penaltyBps",
      "penalty.percent": "penaltyPercent",
    },
    toInput: bodyOf,
  });
  return (
    <FormDialog wide title={product ? t.changeTitle : t.newProduct} of={form} submit={t.save} onClose={onClose}>
      <ProductFields form={form.form} />
    </FormDialog>
  );
}
