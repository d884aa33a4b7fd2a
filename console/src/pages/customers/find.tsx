import { useNavigate } from "@tanstack/react-router";
import { useTexts } from "../../lib/language";
import { Form, SubmitButton, TextField } from "../../ui/form";
import { Empty, Section } from "../../ui/panels";
import { useCustomerSearch } from "../../ui/use-customer-search";
import { texts } from "./texts";

/** Leads to the customer whose code or phone number is known: for a desk that may not list them. */
export function FindCustomer() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { form, isNobody } = useCustomerSearch(
    ({ customerId }) => void navigate({ to: `/customers/${customerId}` } as never),
  );
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
