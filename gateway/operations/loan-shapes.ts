import { z } from "zod";
import { JsonNumber } from "../../services/kernel/json.js";
import { text } from "../schema.js";

export { date } from "../../services/platform/events/shapes/schema.js";
export {
  Application,
  applicationOf,
  historyItemOf,
  HistoryItem,
  Loan,
  loanOf,
  Offer,
  offerOf,
} from "../../services/platform/events/shapes/loan-shape.js";
import { reasonIn } from "./cursor-pages.js";

/** Address family of loan operations. */
export const v1 = "/api/v1/services";
export const userBase = `${v1}/user`;
export const staffBase = `${v1}/staff`;

export const idIn = text(128);
export const applicationPath = z.object({ loanApplicationId: idIn });
export const loanPath = z.object({ accountId: idIn });
export const keyed = { idempotencyKey: "required" } as const;
export const keyRename = { idempotencyKey: "headers.x-idempotency-key" } as const;
export const reasonBody = (id: string) => z.object({ reason: reasonIn }).meta({ id });

/** A date of the body. */
export const dateIn = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date such as 2026-11-30")
  .meta({ format: "date" });

export const Waiting = z.object({ approvalId: z.string() }).meta({ id: "WaitingForApproval" });

/**
 * A money number of the body, with a sign: what is below zero is refused by the rule, not by the
 * form.
 */
export const signedNumberIn = z
  .custom<JsonNumber>((value) => value instanceof JsonNumber && /^-?(0|[1-9]\d{0,39})(\.\d{1,20})?$/.test(value.text), {
    error: ({ input }) =>
      input === undefined ? "is required" : "must be a JSON number, such as 25 or 25.00, without an exponent",
  })
  .meta({ override: { type: "number", examples: [106.62] } })
  .transform((number) => (number.text.includes(".") ? number.text.replace(/\.?0+$/, "") : number.text));
