import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { isStatus } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Sender } from "./types";

const phone = /^\+?[\d\s().-]{6,}$/;

/** Who sends: found by code or phone number. */
export function SenderStep({ sender, onFound }: { sender: Sender | undefined; onFound: (sender: Sender) => void }) {
  const t = useTexts(texts);
  const find = useAction({
    operation: "findCustomer",
    run: (text: string) =>
      api.people.findCustomer(
        phone.test(text) ? { phoneNumber: text.replaceAll(/[\s().-]/g, "") } : { customerCode: text },
      ),
    onDone: onFound,
  });
  const isNobody = isStatus(find.error, 404);
  const form = useActionForm({
    defaults: { text: "" },
    action: { ...find, error: isNobody ? undefined : find.error },
    toInput: ({ text }) => text.trim(),
    paths: { "body.customerCode": "text", "body.phoneNumber": "text" },
    keep: true,
  });
  return (
    <Section title={t.sender}>
      {sender ? (
        <KeyValue
          columns={3}
          facts={[
            { label: t.name, value: `${sender.firstName} ${sender.lastName}` },
            { label: t.customerCode, value: sender.customerCode },
            { label: t.country, value: sender.country },
            { label: t.status, value: <StatusBadge status={sender.status} /> },
            { label: t.phone, value: sender.phoneNumber },
          ]}
        />
      ) : (
        <Form of={form}>
          <TextField form={form.form} name="text" label={t.codeOrPhone} isRequired />
          {isNobody && <p role="status">{t.nobody}</p>}
          <div>
            <SubmitButton of={form}>{t.find}</SubmitButton>
          </div>
        </Form>
      )}
    </Section>
  );
}
