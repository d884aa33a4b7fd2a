import { useNavigate } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { isStatus } from "../../lib/queries";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Empty, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";

const phone = /^\+?[\d\s().-]{6,}$/;

/** Leads to the customer whose code or phone number is known: for a desk that may not list them. */
export function FindCustomer() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const find = useAction({
    operation: "findCustomer",
    run: (text: string) =>
      api.people.findCustomer(
        phone.test(text) ? { phoneNumber: text.replaceAll(/[\s().-]/g, "") } : { customerCode: text },
      ),
    onDone: ({ customerId }) => void navigate({ to: `/customers/${customerId}` } as never),
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
    <Section title={t.find}>
      <div className="max-w-md">
        <Form of={form}>
          <TextField form={form.form} name="text" label={t.codeOrPhone} hint={t.codeOrPhoneHint} isRequired />
          <div>
            <SubmitButton of={form}>{t.find}</SubmitButton>
          </div>
        </Form>
      </div>
      {isNobody && (
        <div role="status">
          <Empty title={t.nobody}>{t.nobodyHint}</Empty>
        </div>
      )}
    </Section>
  );
}
