import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import {
  Fields,
  personalDefaults,
  personalDetails,
  PersonalFields,
  personalPaths,
  type IdentityDocument,
} from "./personal-fields";
import { texts } from "./texts";
import type { Customer } from "./types";

type Change = Parameters<typeof api.people.updateUser>[1];
type Changed = AnswerOf<typeof api.people.updateUser>;

/**
 * Changes what differs from what is there; a new address or number
 * counts once its code was entered.
 */
export function ChangeDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const t = useTexts(texts);
  const user = useUser();
  const [pending, setPending] = useState<Changed["pendingContacts"]>();
  const { firstName, lastName, email = "", phoneNumber = "" } = customer;
  const form = useActionForm({
    operation: "updateUser",
    run: (body: Change, options) => api.people.updateUser(customer.userId, body, options),
    stales: ["customers"],
    done: t.isChanged,
    onDone: ({ pendingContacts }) => (pendingContacts.length > 0 ? setPending(pendingContacts) : onClose()),
    defaults: { firstName, lastName, email, phoneNumber, ...personalDefaults(customer) },
    paths: personalPaths,
    keep: true,
    toInput: (values): Change => {
      const typedPhone = values.phoneNumber.replaceAll(/[\s().-]/g, "");
      const { identityDocuments: added, ...details } = personalDetails(values);
      return {
        ...(values.firstName.trim() !== firstName && { firstName: values.firstName.trim() }),
        ...(values.lastName.trim() !== lastName && { lastName: values.lastName.trim() }),
        ...(values.email.trim() !== email && { email: values.email.trim() }),
        ...(typedPhone !== phoneNumber && { phoneNumber: typedPhone }),
        ...differing(details, customer),
        ...(added && { identityDocuments: [...((customer.identityDocuments ?? []) as IdentityDocument[]), ...added] }),
      };
    },
  });
  if (pending) {
    return (
      <Dialog title={t.pendingTitle} onClose={onClose}>
        <p className="mb-2">{t.pendingHint}</p>
        <ul className="list-disc pl-5">
          {pending.map(({ type, sentTo }) => (
            <li key={type}>{sentTo}</li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={onClose}>{t.close}</Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog title={t.changeTitle} wide of={form} submit={t.save} onClose={onClose}>
      <Fields legend={t.person}>
        <TextField form={form.form} name="firstName" label={t.firstName} isRequired />
        <TextField form={form.form} name="lastName" label={t.lastName} isRequired />
        <TextField
          form={form.form}
          name="email"
          label={t.email}
          type="email"
          hint={t.contactHint}
          isRequired={email !== ""}
        />
        <TextField form={form.form} name="phoneNumber" label={t.phone} type="tel" hint={t.contactHint} />
      </Fields>
      {/* A cashier sees document numbers masked: sent back, they would replace the whole ones. */}
      <PersonalFields form={form.form} withDocument={user.role !== "CASHIER"} />
    </FormDialog>
  );
}

/** Only members that are not as they were. */
function differing(details: Record<string, unknown>, customer: Customer): Partial<Change> {
  const before = customer as unknown as Record<string, unknown>;
  const sorted = (value: unknown) =>
    typeof value === "object" && value !== null
      ? JSON.stringify(Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other)))
      : value;
  return Object.fromEntries(
    Object.entries(details).filter(([name, value]) => sorted(value) !== sorted(before[name])),
  ) as Partial<Change>;
}
