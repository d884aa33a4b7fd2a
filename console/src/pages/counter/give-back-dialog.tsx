import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { identityDocumentTypes } from "../../generated/enums";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Money } from "../../ui/figures";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { worded } from "../../ui/options";
import { Skeleton } from "../../ui/panels";
import { cashStales, openTillsQuery } from "../cash/tills";
import { useOwnNotes } from "./own-notes";
import { texts } from "./texts";
import type { Payable } from "./types";
import { WhatToDo } from "./what-to-do";

type Given = AnswerOf<typeof api.cash.payCounterPayable>;

interface Props {
  payable: Payable;
  onClose: () => void;
}

/** Gives the sender their cash back out of one's till, against code and document. */
export function GiveBackDialog({ payable, onClose }: Props) {
  const t = useTexts(texts);
  const tills = useQuery(openTillsQuery());
  const hasOwnNotes = useOwnNotes();
  const till = tills.data?.find(({ currency, status }) => currency === payable.currency && status === "OPEN");
  if (hasOwnNotes) return <ProofDialog payable={payable} onClose={onClose} />;
  if (till && hasOwnNotes === false) return <ProofDialog payable={payable} tillId={till.tillId} onClose={onClose} />;
  return (
    <Dialog title={t.giveIt} onClose={onClose}>
      {tills.data && hasOwnNotes === false ? (
        <p className="text-warn">{t.noTill(payable.currency)}</p>
      ) : (
        <Skeleton lines={2} />
      )}
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}

function ProofDialog({ payable, tillId, onClose }: Props & { tillId?: string }) {
  const t = useTexts(texts);
  const [given, setGiven] = useState<Given>();
  type Proof = Parameters<typeof api.cash.payCounterPayable>[2];
  const form = useActionForm({
    operation: "payCounterPayable",
    run: (proof: Proof, options) =>
      tillId === undefined
        ? api.agents.payCounterPayableAsAgent(payable.payableId, proof, options)
        : api.cash.payCounterPayable(tillId, payable.payableId, proof, options),
    stales: cashStales,
    onDone: setGiven,
    defaults: { code: "", type: "PASSPORT", number: "" },
    paths: { "body.document.number": "number", "body.document.type": "type" },
    toInput: ({ code, type, number }: { code: string; type: string; number: string }): Proof => ({
      code: code.trim(),
      document: { type: type as Proof["document"]["type"], number: number.trim() },
    }),
  });
  if (given) {
    return (
      <Dialog title={t.givenBack} isFirm onClose={onClose}>
        <div role="status">
          <p className="text-muted">{t.handOut}</p>
          <p className="text-2xl font-semibold">
            <Money amount={given.amount} currency={given.currency} />
          </p>
        </div>
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {t.finished}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog title={`${t.giveIt} · ${payable.transactionCode}`} of={form} submit={t.giveIt} onClose={onClose}>
      <WhatToDo error={form.error} />
      <p className="text-xl font-semibold">
        <Money amount={payable.amount} currency={payable.currency} />
      </p>
      <TextField form={form.form} name="code" label={t.theCode} hint={t.wrongHint} isRequired />
      <SelectField form={form.form} name="type" label={t.documentType} options={worded(identityDocumentTypes)} />
      <TextField form={form.form} name="number" label={t.documentNumber} isRequired />
    </FormDialog>
  );
}
