import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Form, SubmitButton, TextField } from "../../ui/form";
import { Section } from "../../ui/panels";
import { useCustomerSearch } from "../../ui/use-customer-search";
import { texts } from "./texts";
import type { Sender } from "./types";

/** Who sends: found by code or phone number. */
export function SenderStep({ sender, onFound }: { sender: Sender | undefined; onFound: (sender: Sender) => void }) {
  const t = useTexts(texts);
  const { form, isNobody } = useCustomerSearch(onFound);
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
