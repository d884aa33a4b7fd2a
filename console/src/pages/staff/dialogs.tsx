import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { worded } from "../../ui/options";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Staff } from "./types";

interface Props {
  user: Staff;
  onClose: () => void;
}

type NewUser = Parameters<typeof api.people.createStaffUser>[0];

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "createStaffUser",
    run: (body: NewUser, options) => api.people.createStaffUser(body, options),
    stales: ["staff"],
    done: t.isCreated,
    onDone: onClose,
    defaults: { name: "", email: "", role: "CASHIER", password: "" },
    toInput: ({ name, email, role, password }): NewUser => ({
      name: name.trim(),
      email: email.trim(),
      role: role as NewUser["role"],
      password,
    }),
  });
  return (
    <FormDialog title={t.createTitle} of={form} submit={t.create} onClose={onClose}>
      <TextField form={form.form} name="name" label={t.name} isRequired />
      <TextField form={form.form} name="email" label={t.email} type="email" isRequired />
      <SelectField form={form.form} name="role" label={t.role} options={worded(["CASHIER", "AGENT"])} isRequired />
      <TextField
        form={form.form}
        name="password"
        label={t.firstPassword}
        type="password"
        autoComplete="new-password"
        hint={t.firstPasswordHint}
        isRequired
      />
    </FormDialog>
  );
}

type Change = Parameters<typeof api.people.updateUser>[1];

export function ChangeDialog({ user, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "updateUser",
    run: (body: Change, options) => api.people.updateUser(user.userId, body, options),
    stales: ["staff"],
    done: ({ pendingContacts }) => (pendingContacts.length > 0 ? t.codeSent : t.isChanged),
    onDone: onClose,
    defaults: { name: user.name, email: user.email ?? "" },
    keep: true,
    toInput: ({ name, email }): Change => ({
      ...(name.trim() !== user.name && { name: name.trim() }),
      ...(email.trim() !== user.email && { email: email.trim() }),
    }),
  });
  return (
    <FormDialog title={t.changeTitle} of={form} submit={t.save} onClose={onClose}>
      <TextField form={form.form} name="name" label={t.name} isRequired />
      <TextField form={form.form} name="email" label={t.email} type="email" hint={t.contactHint} isRequired />
    </FormDialog>
  );
}

export function AccessDialog({ user, how, onClose }: Props & { how: "disable" | "enable" }) {
  const t = useTexts(texts);
  const disables = how === "disable";
  const change = useAction({
    operation: disables ? "disableUser" : "enableUser",
    run: (reason: string, options) =>
      disables
        ? api.people.disableUser(user.userId, { reason }, options)
        : api.people.enableUser(user.userId, { reason }, options),
    stales: ["staff"],
    done: disables ? t.isDisabled : t.isEnabled,
  });
  return (
    <ConfirmDialog
      title={disables ? t.disableTitle : t.enableTitle}
      confirm={disables ? t.disable : t.enable}
      danger={disables}
      action={change}
      onClose={onClose}
    >
      <Who user={user} />
      <p className="text-muted">{disables ? t.disableHint : t.enableHint}</p>
    </ConfirmDialog>
  );
}

/**
 * Of somebody who has lost them: another manager approves, and then a time
 * passes in which they can stop it.
 */
export function ResetDialog({ user, onClose }: Props) {
  const t = useTexts(texts);
  const reset = useAction({
    operation: "resetSecondFactors",
    run: (reason: string, options) => api.secondFactors.reset(user.userId, { reason }, options),
    stales: ["staff", "approvals", "home"],
    done: t.isResetAsked,
  });
  return (
    <ConfirmDialog title={t.resetTitle} confirm={t.ask} action={reset} onClose={onClose}>
      <Who user={user} />
      <p className="text-muted">{t.resetHint}</p>
    </ConfirmDialog>
  );
}

function Who({ user }: { user: Staff }) {
  return (
    <p className="font-medium">
      {user.name} · {user.email}
    </p>
  );
}
