import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { ProofFields, proofDefaults, proofOf } from "./proof-fields";
import { texts } from "./texts";

export function RemoveDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const remove = useAction({
    operation: "removeTotp",
    run: (body: { password: string; otp: string }, options) => api.secondFactors.removeTotp(body, options),
    stales: ["staff"],
    done: t.isRemoved,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { password: "", otp: "" },
    action: remove,
    toInput: ({ password, otp }) => ({ password, otp: otp.replaceAll(/\s/g, "") }),
    keep: true,
  });
  return (
    <Dialog title={t.removeTitle} onClose={onClose}>
      <Form of={form}>
        <TextField
          form={form.form}
          name="password"
          label={t.currentPassword}
          type="password"
          autoComplete="current-password"
          isRequired
        />
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
          <SubmitButton of={form} danger>
            {t.remove}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

type NewPin = Parameters<typeof api.secondFactors.setPin>[0];

export function PinDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const change = useAction({
    operation: "setPin",
    run: (body: NewPin, options) => api.secondFactors.setPin(body, options),
    stales: ["staff"],
    done: t.pinIsSet,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { pin: "", ...proofDefaults },
    action: change,
    toInput: ({ pin, ...proof }): NewPin => ({ pin: pin.trim(), ...proofOf(proof) }),
    keep: true,
  });
  return (
    <Dialog title={t.setPin} onClose={onClose}>
      <Form of={form}>
        <TextField
          form={form.form}
          name="pin"
          label={t.newPin}
          type="password"
          inputMode="numeric"
          autoComplete="new-password"
          isRequired
        />
        <ProofFields form={form.form} change="PIN" />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
