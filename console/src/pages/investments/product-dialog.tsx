import { useState } from "react";
import { useOrganisation } from "../../app/organisation";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { amountOf, amountOrNull, textOrNull, wholeOf, wholeOrNull } from "../../lib/typed";
import { useAction } from "../../lib/use-action";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { ProductFields } from "./product-fields";
import { productTexts } from "./product-texts";
import type { Product } from "./products";

type Body = Parameters<typeof api.investments.putProduct>[1];

const shown = (count: number | undefined) => (count ? String(count) : "");

const defaults = (product: Product | undefined, currency: string) => ({
  name: product?.name ?? "",
  description: product?.description ?? "",
  currency: product?.currency ?? currency,
  unitPrice: product?.unitPrice ?? "",
  unitsOffered: shown(product?.unitsOffered),
  minimumUnits: shown(product?.minimumUnits),
  maximumUnitsPerCustomer: shown(product?.maximumUnitsPerCustomer),
  tiers: product?.tiers.map(({ from, ratePercent }) => ({ from: String(from), ratePercent: String(ratePercent) })) ?? [
    { from: "0", ratePercent: "" },
  ],
  compounding: product?.compounding ?? "NONE",
  dayCount: product?.dayCount ?? "ACT_365",
  payout: product?.payout ?? "AT_MATURITY",
  reinvestment: product?.reinvestment ?? "NONE",
  termMonths: shown(product?.termMonths),
  termDays: shown(product?.termDays),
  lockInDays: shown(product?.lockInDays),
  penaltyKind: product?.penalty.kind ?? "NONE",
  penaltyBps: shown(product?.penalty.bps),
  penaltyPercent: String(product?.penalty.percent ?? ""),
  withholdingTaxBps: shown(product?.withholdingTaxBps),
  status: product?.status ?? "OPEN",
});

export type ProductValues = ReturnType<typeof defaults>;

function bodyOf(values: ProductValues): Body {
  const isReduction = values.penaltyKind === "RATE_REDUCTION";
  return {
    name: values.name.trim(),
    description: textOrNull(values.description),
    currency: values.currency,
    unitPrice: amountOf(values.unitPrice),
    unitsOffered: wholeOf(values.unitsOffered),
    minimumUnits: wholeOrNull(values.minimumUnits),
    maximumUnitsPerCustomer: wholeOrNull(values.maximumUnitsPerCustomer),
    tiers: values.tiers.map(({ from, ratePercent }) => ({
      from: amountOf(from),
      ratePercent: amountOf(ratePercent),
    })),
    compounding: values.compounding,
    dayCount: values.dayCount,
    payout: values.payout,
    reinvestment: values.reinvestment,
    termMonths: wholeOrNull(values.termMonths),
    termDays: wholeOrNull(values.termDays),
    lockInDays: wholeOrNull(values.lockInDays),
    penalty: {
      kind: values.penaltyKind,
      ...(values.penaltyKind !== "NONE" &&
        (isReduction ? { percent: amountOrNull(values.penaltyPercent) } : { bps: wholeOrNull(values.penaltyBps) })),
    },
    withholdingTaxBps: wholeOrNull(values.withholdingTaxBps),
    status: values.status,
    // The selects offer the codes of the API and no others.
  } as Body;
}

/** Makes a product under an id of its own, or its next version. */
export function ProductDialog({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  const t = useTexts(productTexts);
  const { baseCurrency } = useOrganisation();
  // One id however often it is tried: a second try makes no second product.
  const [id] = useState(() => product?.id ?? crypto.randomUUID());
  const put = useAction({
    operation: "putInvestmentProduct",
    run: (body: Body, options) => api.investments.putProduct(id, body, options),
    stales: ["investments"],
    done: product ? t.changed : t.created,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: defaults(product, baseCurrency),
    action: put,
    paths: {
      "penalty.kind": "penaltyKind",
      "penalty.bps": "penaltyBps",
      "penalty.percent": "penaltyPercent",
    },
    toInput: bodyOf,
  });
  return (
    <Dialog wide title={product ? t.changeTitle : t.newProduct} onClose={onClose}>
      <Form of={form}>
        <ProductFields form={form.form} />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
