import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Id } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { ProofFields, proofDefaults, proofOf, type ProofValues } from "./proof-fields";
import { QrCode } from "./qr-code";
import { texts } from "./texts";

interface Enrolment {
  secret: string;
  otpauthUri: string;
}

/**
 * Two steps: the secret is shown once the password was right, and counts
 * once a code of it was entered.
 */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  return (
    <Dialog title={t.enrolTitle} onClose={onClose}>
      {enrolment ? (
        <Confirm enrolment={enrolment} onClose={onClose} />
      ) : (
        <Begin onBegun={setEnrolment} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Begin({ onBegun, onClose }: { onBegun: (enrolment: Enrolment) => void; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "enrolTotp",
    run: (proof: ProofValues, options) => api.secondFactors.enrolTotp(proofOf(proof), options),
    onDone: onBegun,
    defaults: proofDefaults,
    toInput: (values) => values,
    keep: true,
  });
  return (
    <Form of={form}>
      <ProofFields form={form.form} change="SECOND_FACTORS" />
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <SubmitButton of={form}>{t.next}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function Confirm({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "confirmTotp",
    run: (otp: string, options) => api.secondFactors.confirmTotp({ otp }, options),
    stales: ["staff"],
    done: t.isEnrolled,
    onDone: onClose,
    defaults: { otp: "" },
    toInput: ({ otp }) => otp.replaceAll(/\s/g, ""),
    keep: true,
  });
  return (
    <Form of={form}>
      <p>{t.scan}</p>
      <QrCode text={enrolment.otpauthUri} label={t.qrCode} />
      <p className="text-center">
        <span className="text-muted">{t.orType}</span> <Id value={enrolment.secret} />
      </p>
      <TextField
        form={form.form}
        name="otp"
        label={t.otp}
        hint={t.otpHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
      />
      <DialogActions>
        <Button onClick={onClose}>{t.cancel}</Button>
        <SubmitButton of={form}>{t.confirm}</SubmitButton>
      </DialogActions>
    </Form>
  );
}
