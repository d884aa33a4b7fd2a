import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { KeyValue } from "../../ui/facts";
import { Money, Time } from "../../ui/figures";
import { Form, SubmitButton, TextArea, useActionForm } from "../../ui/form";
import { FindWallet } from "./find-wallet";
import { texts } from "./texts";
import type { Credit } from "./types";

/** Gives a bank transfer to the wallet that it was meant for. */
export function AssignDialog({ credit, onClose }: { credit: Credit; onClose: () => void }) {
  const t = useTexts(texts);
  const [accountId, setAccountId] = useState("");
  const [isMissing, setMissing] = useState(false);
  const form = useActionForm({
    operation: "assignCredit",
    run: (reason: string, options) => api.payments.assignCredit(credit.creditId, { accountId, reason }, options),
    stales: ["wallets", "home", "ledger"],
    done: t.assigned,
    onDone: onClose,
    defaults: { reason: "" },
    toInput: ({ reason }) => reason.trim(),
  });
  const submit = () => {
    setMissing(accountId === "");
    if (accountId !== "") form.submit();
  };
  return (
    <Dialog title={t.assignTitle} onClose={onClose}>
      <div className="mb-4">
        <KeyValue
          columns={2}
          facts={[
            { label: t.amount, value: <Money amount={credit.amount} currency={credit.currency} /> },
            { label: t.arrived, value: <Time at={credit.receivedAt} /> },
            { label: t.sender, value: `${credit.senderName} · ${credit.senderAccountNumber}` },
            { label: t.reference, value: credit.reference },
          ]}
        />
      </div>
      <Form of={{ ...form, submit }}>
        <FindWallet currency={credit.currency} chosen={accountId} onChoose={setAccountId} />
        {isMissing && accountId === "" && <p className="text-bad">{t.chooseWallet}</p>}
        <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.assign}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
