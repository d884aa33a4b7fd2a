import { api, type AnswerOf } from "../lib/api";
import { isStatus } from "../lib/queries";
import { useFormOf } from "./form";
import { useAction } from "./use-action";

const phone = /^\+?[\d\s().-]{6,}$/;

/**
 * A form with the field `text`, a code or phone number, that finds a customer; nobody is no fault.
 */
export function useCustomerSearch(onFound: (customer: AnswerOf<typeof api.people.findCustomer>) => void) {
  const find = useAction({
    operation: "findCustomer",
    run: (text: string) =>
      api.people.findCustomer(
        phone.test(text) ? { phoneNumber: text.replaceAll(/[\s().-]/g, "") } : { customerCode: text },
      ),
    onDone: onFound,
  });
  const isNobody = isStatus(find.error, 404);
  const form = useFormOf(
    { ...find, error: isNobody ? undefined : find.error },
    {
      defaults: { text: "" },
      toInput: ({ text }) => text.trim(),
      paths: { "body.customerCode": "text", "body.phoneNumber": "text" },
      keep: true,
    },
  );
  return { form, isNobody };
}
