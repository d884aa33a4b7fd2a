import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { AmountField } from "../../ui/amount-field";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Id, Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

type Hold = AnswerOf<typeof api.payments.readHold>;

/** Holds have no list: one is opened by its id. */
export function Holds() {
  const t = useTexts(texts);
  const filters = useFilters(["hold"]);
  const holdId = filters.values.hold;
  const hold = useQuery({
    ...read("wallets", "readHold", { holdId }, (options) => api.payments.readHold(holdId ?? "", options)),
    enabled: holdId !== undefined,
  });
  return (
    <Stack>
      <FilterBar filters={filters} fields={[{ name: "hold", label: t.holdId, kind: "search" }]} />
      {holdId === undefined ? (
        <div className="card">
          <Empty title={t.holdNeeded}>{t.holdNeededHint}</Empty>
        </div>
      ) : (
        <Loaded query={hold} lines={5}>
          {(found) => <One hold={found} />}
        </Loaded>
      )}
    </Stack>
  );
}

function One({ hold }: { hold: Hold }) {
  const t = useTexts(texts);
  const [open, setOpen] = useState<"take" | "release">();
  const close = () => setOpen(undefined);
  const release = useAction({
    operation: "releaseHold",
    run: (_reason: string, options) => api.payments.releaseHold(hold.holdId, options),
    stales: ["wallets", "ledger"],
    done: t.holdReleased,
  });
  const isOpen = hold.status === "HELD";
  return (
    <Section
      title={t.hold}
      actions={
        isOpen && (
          <>
            <Button icon={Undo2} onClick={() => setOpen("release")}>
              {t.release}
            </Button>
            <Button icon={Check} variant="primary" onClick={() => setOpen("take")}>
              {t.take}
            </Button>
          </>
        )
      }
    >
      <KeyValue
        columns={3}
        facts={[
          { label: t.status, value: <StatusBadge status={hold.status} /> },
          { label: t.amount, value: <Money amount={hold.amount} currency={hold.currency} /> },
          { label: t.taken, value: <Money amount={hold.confirmedAmount} currency={hold.currency} /> },
          { label: t.wallet, value: <Id value={hold.accountId} /> },
          { label: t.payeeWallet, value: <Id value={hold.payeeAccountId} /> },
          { label: t.about, value: hold.description },
          { label: t.made, value: <Time at={hold.createdAt} /> },
          { label: t.expires, value: <Time at={hold.expiresAt} /> },
        ]}
      />
      {open === "take" && <TakeDialog hold={hold} onClose={close} />}
      {open === "release" && (
        <ConfirmDialog title={t.releaseTitle} confirm={t.release} reason="none" action={release} onClose={close}>
          {t.releaseHint}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function TakeDialog({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "confirmHold",
    run: (amount: string | undefined, options) =>
      api.payments.confirmHold(hold.holdId, amount === undefined ? {} : { amount: decimal(amount) }, options),
    stales: ["wallets", "ledger"],
    done: t.holdTaken,
    onDone: onClose,
    defaults: { amount: "" },
    toInput: ({ amount }) => typedAmount(amount),
  });
  return (
    <FormDialog title={t.takeTitle} of={form} submit={t.take} onClose={onClose}>
      <AmountField form={form.form} name="amount" label={t.amount} hint={t.takeHint(hold.currency)} />
    </FormDialog>
  );
}
