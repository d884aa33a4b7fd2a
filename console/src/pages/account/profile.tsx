import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Columns, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { ProofFields, proofDefaults, proofOf } from "./proof-fields";
import { texts } from "./texts";

type Profile = AnswerOf<typeof api.people.readProfile>;
type Change = Parameters<typeof api.people.updateProfile>[0];
type Pending = Profile["pendingContacts"][number];

export function OwnProfile() {
  const t = useTexts(texts);
  const [open, setOpen] = useState<"name" | "email">();
  const profile = useQuery(read("staff", "readProfile", {}, (options) => api.people.readProfile(options)));
  return (
    <Loaded query={profile} lines={6}>
      {({ user, pendingContacts }) => (
        <Columns>
          <Section
            title={t.profile}
            actions={
              <>
                <Button icon={Pencil} onClick={() => setOpen("name")}>
                  {t.changeName}
                </Button>
                <Button icon={Pencil} onClick={() => setOpen("email")}>
                  {t.changeEmail}
                </Button>
              </>
            }
          >
            <KeyValue
              columns={2}
              facts={[
                { label: t.name, value: user.name },
                { label: t.email, value: user.email },
                { label: t.role, value: inWords(user.role) },
                { label: t.since, value: <Time at={user.createdAt} /> },
                { label: t.userId, value: <Id value={user.userId} /> },
              ]}
            />
          </Section>
          <Stack>
            {pendingContacts.map((contact) => (
              <ConfirmContact key={contact.type} contact={contact} />
            ))}
          </Stack>
          {open === "name" && <NameDialog name={user.name} onClose={() => setOpen(undefined)} />}
          {open === "email" && <EmailDialog onClose={() => setOpen(undefined)} />}
        </Columns>
      )}
    </Loaded>
  );
}

function NameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "updateProfile",
    run: (body: Change, options) => api.people.updateProfile(body, options),
    stales: ["staff"],
    done: t.isChanged,
    onDone: onClose,
    defaults: { name },
    toInput: (values): Change => ({ name: values.name.trim() }),
    keep: true,
  });
  return (
    <FormDialog title={t.changeName} of={form} submit={t.save} onClose={onClose}>
      <TextField form={form.form} name="name" label={t.name} isRequired />
    </FormDialog>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "updateProfile",
    run: (body: Change, options) => api.people.updateProfile(body, options),
    stales: ["staff"],
    done: t.codeSent,
    onDone: onClose,
    defaults: { email: "", ...proofDefaults },
    toInput: ({ email, ...proof }): Change => ({ email: email.trim(), ...proofOf(proof) }),
    keep: true,
  });
  return (
    <FormDialog title={t.changeEmail} of={form} submit={t.sendCode} onClose={onClose}>
      <TextField form={form.form} name="email" label={t.newEmail} type="email" hint={t.newEmailHint} isRequired />
      <ProofFields form={form.form} change="CONTACT" />
    </FormDialog>
  );
}

function ConfirmContact({ contact }: { contact: Pending }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "confirmContactChange",
    run: (code: string, options) =>
      api.people.confirmContactChange({ type: contact.type as "EMAIL" | "PHONE_NUMBER", code }, options),
    stales: ["staff"],
    done: t.isChanged,
    defaults: { code: "" },
    toInput: ({ code }) => code.trim(),
  });
  return (
    <Section title={t.confirmContact}>
      <p className="mb-3">
        {t.codeWentTo(contact.sentTo)} <Time at={contact.expiresAt} />
      </p>
      <Form of={form}>
        <TextField
          form={form.form}
          name="code"
          label={t.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
        />
        <div>
          <SubmitButton of={form}>{t.confirm}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}
