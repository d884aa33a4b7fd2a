import type { UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { amountOrNull, textOrNull, wholeOrNull } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid } from "../../ui/field-grid";
import { CheckField, SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { WholeField } from "../../ui/whole-field";
import { fieldText, momentOrNull } from "./moments";
import { promotionTexts } from "./promotion-texts";
import type { Promotion } from "./types";

type Body = Parameters<typeof api.promotions.put>[0];

const shown = (count: number | undefined) => (count === undefined ? "" : String(count));

const defaults = (promotion: Promotion | undefined, zone: string) => ({
  code: promotion?.code ?? "",
  feeDiscountBps: shown(promotion?.feeDiscountBps),
  rateBonusBps: shown(promotion?.rateBonusBps),
  validFrom: promotion ? fieldText(promotion.validFrom, zone) : "",
  validUntil: promotion ? fieldText(promotion.validUntil, zone) : "",
  maxUses: shown(promotion?.maxUses),
  maxUsesPerCustomer: shown(promotion?.maxUsesPerCustomer),
  minimumAmount: String(promotion?.minimumAmount ?? ""),
  minimumCurrency: promotion?.minimumCurrency ?? "",
  receivingCountries: promotion?.receivingCountries.join(" ") ?? "",
  enabled: promotion?.enabled ?? true,
});

type Values = ReturnType<typeof defaults>;

const bodyOf = (values: Values, zone: string) =>
  ({
    code: values.code.trim(),
    feeDiscountBps: wholeOrNull(values.feeDiscountBps),
    rateBonusBps: wholeOrNull(values.rateBonusBps),
    validFrom: momentOrNull(values.validFrom, zone),
    validUntil: momentOrNull(values.validUntil, zone),
    maxUses: wholeOrNull(values.maxUses),
    maxUsesPerCustomer: wholeOrNull(values.maxUsesPerCustomer),
    minimumAmount: amountOrNull(values.minimumAmount),
    minimumCurrency: textOrNull(values.minimumCurrency),
    receivingCountries: values.receivingCountries
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
    enabled: values.enabled,
  }) as Body;

/** Makes a promo code, or replaces what holds of it. */
export function PromotionDialog({ promotion, onClose }: { promotion: Promotion | undefined; onClose: () => void }) {
  const t = useTexts(promotionTexts);
  const { timeZone } = useOrganisation();
  const form = useActionForm({
    operation: "putPromotion",
    run: (body: Body, options) => api.promotions.put(body, options),
    stales: ["corridors"],
    done: t.saved,
    onDone: onClose,
    defaults: defaults(promotion, timeZone),
    toInput: (values: Values) => bodyOf(values, timeZone),
  });
  return (
    <FormDialog wide title={promotion ? t.change(promotion.code) : t.add} of={form} submit={t.save} onClose={onClose}>
      <Fields form={form.form} isNew={!promotion} />
    </FormDialog>
  );
}

function Fields({ form, isNew }: { form: UseFormReturn<Values>; isNew: boolean }) {
  const t = useTexts(promotionTexts);
  const { currencies, timeZone } = useOrganisation();
  return (
    <>
      <FieldGrid>
        <TextField form={form} name="code" label={t.code} hint={t.codeHint} readOnly={!isNew} isRequired />
        <TextField form={form} name="receivingCountries" label={t.countries} hint={t.countriesHint} />
        <WholeField form={form} name="feeDiscountBps" label={t.discountBps} />
        <WholeField form={form} name="rateBonusBps" label={t.bonusBps} />
        <TextField
          form={form}
          name="validFrom"
          label={t.from}
          type="datetime-local"
          hint={t.zone(timeZone)}
          isRequired
        />
        <TextField
          form={form}
          name="validUntil"
          label={t.until}
          type="datetime-local"
          hint={t.zone(timeZone)}
          isRequired
        />
        <WholeField form={form} name="maxUses" label={t.maxUses} hint={t.unlimited} />
        <WholeField form={form} name="maxUsesPerCustomer" label={t.perCustomer} hint={t.unlimited} />
        <AmountField form={form} name="minimumAmount" label={t.least} />
        <SelectField
          form={form}
          name="minimumCurrency"
          label={t.leastCurrency}
          nothing="–"
          options={plain(currencies)}
        />
      </FieldGrid>
      <CheckField form={form} name="enabled" label={t.enabled} />
    </>
  );
}
