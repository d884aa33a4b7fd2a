import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { amountOf, amountOrNull, textOrNull, wholeOf, wholeOrNull } from "../../lib/typed";
import { useAction } from "../../lib/use-action";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, useActionForm } from "../../ui/form";
import { deliveryTypes, keyOf, type Corridor } from "./codes";
import { CorridorFields } from "./corridor-fields";
import { texts } from "./texts";

type Body = Parameters<typeof api.corridors.put>[0];
type Fee = Corridor["fees"][number];

export const newFee = (fee?: Fee) => ({
  name: fee?.name ?? "",
  fixed: String(fee?.fixed ?? "0"),
  rateBps: String(fee?.rateBps ?? 0),
  minimum: String(fee?.minimum ?? ""),
  maximum: String(fee?.maximum ?? ""),
  taxBps: String(fee?.taxBps ?? 0),
  chargeCategory: fee?.chargeCategory ?? "",
  // Not to be typed here: they go back as they came.
  types: fee?.types ?? [],
  tiers: fee?.tiers ?? [],
});

const defaults = (corridor: Corridor | undefined) => ({
  originCountry: corridor?.originCountry ?? "",
  sendCurrency: corridor?.sendCurrency ?? "",
  receivingCountry: corridor?.receivingCountry ?? "",
  receivingCurrency: corridor?.receivingCurrency ?? "",
  types: Object.fromEntries(deliveryTypes.map((type) => [type, corridor?.types.includes(type) ?? false])),
  minimumAmount: String(corridor?.minimumAmount ?? ""),
  maximumAmount: String(corridor?.maximumAmount ?? ""),
  enabled: corridor?.enabled ?? true,
  fees: corridor?.fees.map(newFee) ?? [newFee()],
  reason: "",
});

export type CorridorValues = ReturnType<typeof defaults>;

const bodyOf = (values: CorridorValues, corridor: Corridor | undefined) =>
  ({
    originCountry: values.originCountry.trim().toUpperCase(),
    sendCurrency: values.sendCurrency,
    receivingCountry: values.receivingCountry.trim().toUpperCase(),
    receivingCurrency: values.receivingCurrency,
    types: deliveryTypes.filter((type) => values.types[type]),
    minimumAmount: amountOf(values.minimumAmount),
    maximumAmount: amountOf(values.maximumAmount),
    enabled: values.enabled,
    fees: values.fees.map((fee) => ({
      name: fee.name.trim(),
      fixed: amountOrNull(fee.fixed),
      rateBps: wholeOf(fee.rateBps || "0"),
      minimum: amountOrNull(fee.minimum),
      maximum: amountOrNull(fee.maximum),
      taxBps: wholeOrNull(fee.taxBps),
      chargeCategory: textOrNull(fee.chargeCategory),
      types: fee.types,
      tiers: fee.tiers,
    })),
    deliveries: corridor?.deliveries ?? [],
    reason: textOrNull(values.reason),
  }) as Body;

/** Makes a corridor, or replaces what holds of it. */
export function CorridorDialog({ corridor, onClose }: { corridor: Corridor | undefined; onClose: () => void }) {
  const t = useTexts(texts);
  const put = useAction({
    operation: "putCorridor",
    run: (body: Body, options) => api.corridors.put(body, options),
    stales: ["corridors", "approvals", "home"],
    done: ({ approval }) => (approval?.status === "PENDING" ? t.waits : t.saved),
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: defaults(corridor),
    action: put,
    toInput: (values: CorridorValues) => bodyOf(values, corridor),
  });
  return (
    <Dialog wide title={corridor ? t.changeTitle(keyOf(corridor)) : t.newCorridor} onClose={onClose}>
      <Form of={form}>
        <CorridorFields form={form.form} isNew={!corridor} />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
