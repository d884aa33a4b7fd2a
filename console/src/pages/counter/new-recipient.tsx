import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { DialogActions } from "../../ui/dialog";
import { FieldGrid } from "../../ui/field-grid";
import { Form, SelectField, SubmitButton, TextField, useActionForm, type ActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import { partyKeys, partyOf } from "../cash/party";
import { PayeeWarning } from "../cash/payee-warning";
import { texts as cashTexts } from "../cash/texts";
import { deliveryTexts } from "../transactions/codes";
import { texts } from "./texts";
import type { Corridor, NewRecipient as Body, Recipient, Sender } from "./types";
import { corridorKey } from "./ways";

interface Props {
  sender: Sender;
  corridors: readonly Corridor[];
  onSaved: (recipient: Recipient) => void;
  onCancel?: () => void;
}

const relationships = ["BROTHER", "SISTER", "PARENT", "CHILD", "SPOUSE", "FRIEND", "COUSIN", "BUSINESS"];

const defaults = (first: Corridor) => ({
  firstName: "",
  lastName: "",
  corridor: corridorKey(first),
  method: first.types[0] as string,
  relationship: "",
  dateOfBirth: "",
  nationality: "",
  party: Object.fromEntries(Object.values(partyKeys).flatMap((keys) => keys.map(({ key }) => [key, ""]))) as Record<
    string,
    string
  >,
});
type Values = ReturnType<typeof defaults>;

/** Somebody whom the sender has sent nothing to before; who saved them is kept. */
export function NewRecipient({ sender, corridors, onSaved, onCancel }: Props) {
  const t = useTexts(texts);
  const deliveries: Readonly<Record<string, string>> = useTexts(deliveryTexts);
  const first = corridors[0]!;
  const accepted = useRef<string>(undefined);
  const wayOf = (key: string) => corridors.find((one) => corridorKey(one) === key) ?? first;
  const form = useActionForm({
    operation: "saveRecipientAtDesk",
    run: (body: Body, options) => api.beneficiaries.saveRecipientAtDesk(sender.customerCode, body, options),
    done: t.recipientSaved,
    onDone: onSaved,
    defaults: defaults(first),
    keep: true,
    toInput: (values: Values): Body => {
      const payeeCheckId = accepted.current;
      accepted.current = undefined;
      const corridor = wayOf(values.corridor);
      const { receivingCountry: country, receivingCurrency: currency } = corridor;
      const method = methodOf(values.method, corridor);
      const names = { ...values.party, [ownName(method)]: nameOf(values) };
      const keys = (partyKeys[method] ?? []).map(({ key }) => key);
      return {
        firstName: values.firstName.trim(),
        lastName: values.lastName.trim(),
        country,
        currency,
        deliveryMethods: [method],
        creditParty: partyOf(Object.fromEntries(keys.map((key) => [key, names[key] ?? ""]))),
        ...(values.relationship.trim() && { relationship: values.relationship.trim() }),
        ...(values.dateOfBirth && { dateOfBirth: values.dateOfBirth }),
        ...(values.nationality.trim() && { nationality: values.nationality.trim().toUpperCase() }),
        ...((values.dateOfBirth || values.nationality.trim()) && { kind: "PERSON" as const }),
        ...(payeeCheckId !== undefined && { payeeCheckId }),
      } as Body;
    },
  });
  const chosen = wayOf(form.form.watch("corridor"));
  useEffect(() => form.form.setFocus("firstName"), []);
  return (
    <Section title={t.newRecipient}>
      <Form of={form}>
        <PayeeWarning
          error={form.error}
          isRunning={form.isRunning}
          onUse={(payeeCheckId) => {
            accepted.current = payeeCheckId;
            form.submit();
          }}
        />
        <FieldGrid>
          <TextField form={form.form} name="firstName" label={t.firstName} isRequired />
          <TextField form={form.form} name="lastName" label={t.lastName} isRequired />
          <SelectField
            form={form.form}
            name="corridor"
            label={t.where}
            options={corridors.map((one) => ({
              value: corridorKey(one),
              label: `${one.receivingCountry} · ${one.sendCurrency} → ${one.receivingCurrency}`,
            }))}
          />
          <SelectField
            form={form.form}
            name="method"
            label={t.delivery}
            options={chosen.types.map((value) => ({ value, label: deliveries[value] ?? value }))}
          />
          <Party of={form} corridor={chosen} />
          <TextField form={form.form} name="relationship" label={t.relationship} list={relationships} />
          <TextField form={form.form} name="dateOfBirth" type="date" label={t.dateOfBirth} />
        </FieldGrid>
        <DialogActions>
          {onCancel && <Button onClick={onCancel}>{t.cancel}</Button>}
          <SubmitButton of={form}>{t.saveRecipient}</SubmitButton>
        </DialogActions>
      </Form>
    </Section>
  );
}

/** Where it goes to, by delivery; whose it is was said already. */
function Party({ of, corridor }: { of: ActionForm<Values>; corridor: Corridor }) {
  const t = useTexts(cashTexts);
  const method = methodOf(of.form.watch("method"), corridor);
  const keys = (partyKeys[method] ?? []).filter(({ key }) => key !== ownName(method));
  return keys.map(({ key, isRequired }) =>
    key === "payoutpointid" ? (
      <PayoutPoint key={key} of={of} corridor={corridor} />
    ) : (
      <TextField key={key} form={of.form} name={`party.${key}`} label={t[key as "bankname"]} isRequired={isRequired} />
    ),
  );
}

function PayoutPoint({ of, corridor }: { of: ActionForm<Values>; corridor: Corridor }) {
  const t = useTexts(cashTexts);
  const { originCountry, receivingCountry, sendCurrency, receivingCurrency } = corridor;
  const body = {
    paymentType: "CASH_PICKUP",
    principalAmountCurrency: sendCurrency,
    deriveAmountCurrency: receivingCurrency,
    destinationCountry: receivingCountry,
    tradeOriginatingCountry: originCountry,
    conversion: true,
  } as Parameters<typeof api.payoutPoints.listAllocated>[0];
  const points = useQuery(
    read("corridors", "listAllocatedPayoutPoints", body, (options) =>
      api.payoutPoints.listAllocated(body, {}, options).toArray({ max: 200 }),
    ),
  );
  return (
    <SelectField
      form={of.form}
      name="party.payoutpointid"
      label={t.payoutpointid}
      nothing={t.choose}
      isRequired
      options={(points.data ?? []).map(({ id, name, city }) => ({
        value: id,
        label: city ? `${name}, ${city}` : name,
      }))}
    />
  );
}

/** What was chosen, where the corridor that was chosen afterwards has it. */
const methodOf = (chosen: string, { types }: Corridor): string =>
  (types as readonly string[]).includes(chosen) ? chosen : (types[0] ?? chosen);

/** The member of the party that says whose account it is. */
const ownName = (method: string): string =>
  method === "CASH_PICKUP" ? "recipientname" : method === "WALLET" ? "" : "accountholdername";

const nameOf = ({ firstName, lastName }: Values): string => `${firstName.trim()} ${lastName.trim()}`.trim();
