import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { ProofFields, proofDefaults, proofOf } from "./proof-fields";
import { texts } from "./texts";

export function RemoveDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "removeTotp",
    run: (body: { password: string; otp: string }, options) => api.secondFactors.removeTotp(body, options),
    stales: ["staff"],
    done: t.isRemoved,
    onDone: onClose,
    defaults: { password: "", otp: "" },
    toInput: ({ password, otp }) => ({ password, otp: otp.replaceAll(/\s/g, "") }),
    keep: true,
  });
  return (
    <FormDialog title={t.removeTitle} of={form} submit={t.remove} danger onClose={onClose}>
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
    </FormDialog>
  );
}

type NewPin = Parameters<typeof api.secondFactors.setPin>[0];

export function PinDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "setPin",
    run: (body: NewPin, options) => api.secondFactors.setPin(body, options),
    stales: ["staff"],
    done: t.pinIsSet,
    onDone: onClose,
    defaults: { pin: "", ...proofDefaults },
    toInput: ({ pin, ...proof }): NewPin => ({ pin: pin.trim(), ...proofOf(proof) }),
    keep: true,
  });
  return (
    <FormDialog title={t.setPin} of={form} submit={t.save} onClose={onClose}>
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
    </FormDialog>
  );
}
