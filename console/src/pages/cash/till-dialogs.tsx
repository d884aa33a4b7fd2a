import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { CountFields, countOf, noCount, type CountValues } from "./count-fields";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";
import type { Till } from "./types";

type Wanted = Parameters<typeof api.cash.openTill>[0];
type Count = Parameters<typeof api.cash.countTill>[1];

/** Opens a till with a float out of the vault, in the currency that is needed where one is. */
export function OpenDialog({ currency, onClose }: { currency?: string; onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "openTill",
    run: (wanted: Wanted, options) => api.cash.openTill(wanted, options),
    stales: cashStales,
    done: t.openedDone,
    onDone: onClose,
    defaults: { currency: currency ?? baseCurrency, float: "" },
    toInput: ({ currency: chosen, float }): Wanted => {
      const exact = typedAmount(float);
      return { currency: chosen as Wanted["currency"], ...(exact !== undefined && { float: decimal(exact) }) };
    },
  });
  return (
    <FormDialog title={t.open} of={form} submit={t.open} onClose={onClose}>
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <AmountField form={form.form} name="float" label={t.float} hint={t.floatHint} />
    </FormDialog>
  );
}

/** Notes what was counted, or counts and closes: one's own, or as a manager somebody else's. */
export function CountDialog({
  till,
  isClosing = false,
  isOthers = false,
  onClose,
}: {
  till: Till;
  isClosing?: boolean;
  isOthers?: boolean;
  onClose: () => void;
}) {
  const t = useTexts(texts);
  const words = useTexts(tillTexts);
  const { currency } = till;
  const waits = isOthers ? words.closeForWaits : t.closingWaits;
  const form = useActionForm({
    operation: isClosing ? "closeTill" : "countTill",
    run: ({ reason, ...count }: Count & { reason: string }, options) =>
      isClosing
        ? api.cash.closeTill(till.tillId, { ...count, ...(reason !== "" && { reason }) }, options)
        : api.cash.countTill(till.tillId, count, options),
    stales: cashStales,
    done: ({ status }) => (status === "WAITING" ? waits : isClosing ? t.closedDone : t.countedDone),
    onDone: onClose,
    defaults: { ...noCount(currency), reason: "" },
    toInput: ({ reason, ...count }: CountValues & { reason: string }) => ({
      ...countOf(currency, count),
      reason: reason.trim(),
    }),
  });
  const title = isOthers ? words.closeForTitle : isClosing ? t.closeTitle : t.countTitle;
  const hint = isOthers ? words.closeForHint : isClosing ? t.closeHint : t.countHint;
  return (
    <FormDialog wide title={title} of={form} submit={isClosing ? t.close : t.count} onClose={onClose}>
      {till.expected !== undefined && (
        <p>
          {t.shouldBe} <Money amount={till.expected} currency={till.currency} />
        </p>
      )}
      <p className="text-muted">{hint}</p>
      <CountFields form={form.form} currency={currency} label={t.counted} />
      {isClosing && (
        <TextArea
          form={form.form}
          name="reason"
          label={isOthers ? words.closeForReason : t.differenceReason}
          {...(isOthers ? { isRequired: true } : { hint: t.differenceReasonHint })}
        />
      )}
    </FormDialog>
  );
}
