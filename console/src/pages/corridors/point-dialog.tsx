import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { payoutPointTypes } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { amountOf, amountOrNull, textOrNull } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { FieldGrid } from "../../ui/field-grid";
import { CheckField, Form, SelectField, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { worded } from "../../ui/options";
import { Loaded } from "../../ui/panels";
import { placeTexts } from "./place-texts";
import type { Point } from "./types";

type Body = Parameters<typeof api.payoutPoints.put>[0];

const defaults = (point: Point | undefined, partner: string) => ({
  code: point?.code ?? "",
  name: point?.name ?? "",
  type: point?.type ?? "BANK",
  country: point?.country ?? "",
  currency: point?.currency ?? "",
  address: point?.address ?? "",
  city: point?.city ?? "",
  openingHours: point?.openingHours ?? "",
  mobileOperator: point?.mobileOperator ?? "",
  minimumAmount: String(point?.minimumAmount ?? ""),
  maximumAmount: String(point?.maximumAmount ?? ""),
  allocatedTo: point?.allocatedTo ?? "TENANT",
  partner,
  enabled: true,
});

type Values = ReturnType<typeof defaults>;

const bodyOf = (values: Values) =>
  ({
    code: values.code.trim(),
    name: values.name.trim(),
    type: values.type,
    country: values.country.trim().toUpperCase(),
    currency: values.currency,
    address: textOrNull(values.address),
    city: textOrNull(values.city),
    openingHours: textOrNull(values.openingHours),
    mobileOperator: textOrNull(values.mobileOperator),
    minimumAmount: amountOrNull(values.minimumAmount),
    maximumAmount: amountOf(values.maximumAmount),
    allocatedTo: textOrNull(values.allocatedTo),
    partner: textOrNull(values.partner),
    enabled: values.enabled,
  }) as Body;

interface Props {
  point: Point | undefined;
  onClose: () => void;
}

/** Makes a payout point, or replaces what holds of it. */
export function PointDialog({ point, onClose }: Props) {
  const t = useTexts(placeTexts);
  const title = point ? t.change(point.code) : t.addPoint;
  return (
    <Dialog wide title={title} onClose={onClose}>
      {point ? <Changing point={point} onClose={onClose} /> : <PointForm point={point} partner="" onClose={onClose} />}
    </Dialog>
  );
}

/**
 * The list does not say who pays out there; the latest version does, and
 * what is put replaces all of it.
 */
function Changing({ point, onClose }: { point: Point; onClose: () => void }) {
  const latest = useQuery(
    read("corridors", "listSettingChanges", { kind: "PAYOUT_POINT", key: point.code, size: 1 }, (options) =>
      api.corridors.listSettingChanges({ kind: "PAYOUT_POINT", key: point.code, size: "1" }, options).page(),
    ),
  );
  return (
    <Loaded query={latest}>
      {({ items }) => {
        const partner = items[0]?.content["partner"];
        return <PointForm point={point} partner={typeof partner === "string" ? partner : ""} onClose={onClose} />;
      }}
    </Loaded>
  );
}

function PointForm({ point, partner, onClose }: Props & { partner: string }) {
  const t = useTexts(placeTexts);
  const form = useActionForm({
    operation: "putPayoutPoint",
    run: (body: Body, options) => api.payoutPoints.put(body, options),
    stales: ["corridors"],
    done: t.saved,
    onDone: onClose,
    defaults: defaults(point, partner),
    toInput: bodyOf,
  });
  return (
    <Form of={form}>
      <Fields form={form.form} isNew={!point} />
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <SubmitButton of={form}>{t.save}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function Fields({ form, isNew }: { form: UseFormReturn<Values>; isNew: boolean }) {
  const t = useTexts(placeTexts);
  const { currencies, countries } = useOrganisation();
  return (
    <>
      <FieldGrid columns={3}>
        <TextField form={form} name="code" label={t.code} readOnly={!isNew} isRequired />
        <TextField form={form} name="name" label={t.name} isRequired />
        <SelectField form={form} name="type" label={t.type} options={worded(payoutPointTypes)} />
        <TextField form={form} name="country" label={t.country} hint={t.countryHint} list={countries} isRequired />
        <TextField form={form} name="currency" label={t.currency} list={currencies} isRequired />
        <TextField form={form} name="mobileOperator" label={t.operator} />
        <AmountField form={form} name="minimumAmount" label={t.minimum} />
        <AmountField form={form} name="maximumAmount" label={t.maximum} isRequired />
        <TextField form={form} name="partner" label={t.partner} hint={t.partnerHint} />
        <TextField form={form} name="city" label={t.city} />
        <TextField form={form} name="address" label={t.address} />
        <TextField form={form} name="openingHours" label={t.hours} />
        <TextField form={form} name="allocatedTo" label={t.allocatedTo} hint={t.allocatedHint} />
      </FieldGrid>
      <CheckField form={form} name="enabled" label={t.enabled} />
    </>
  );
}
