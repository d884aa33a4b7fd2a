import { z } from "zod";

/** Absent, or there: never undefined. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => z.exactOptional(schema);
export const text = z.string().min(1).max(200);
export const flag = z.boolean();
export const texts = z.array(text);

export const money = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,18})(\.[0-9]{1,4})?$/)
  .meta({ description: 'Decimal text, such as "2500.00"' });
export const rate = z.string().regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/);
export const currency = z.string().regex(/^[A-Z]{3}$/);
export const country = z
  .string()
  .regex(/^[A-Z]{2,3}$/)
  .meta({ description: "ISO 3166-1 alpha-2 or alpha-3" });
export const amount = z.strictObject({ amount: money, currency });

export const whole = (from: number, to: number) => z.int().min(from).max(to);
export const basisPoints = whole(0, 10_000);
export const units = whole(1, 999_999_999_999);
export const days = whole(0, 36_600);

export const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,39}$/);
export const email = z
  .string()
  .regex(/^[^@\s]+@[^@\s]+$/)
  .max(254);
export const password = z.string().min(8).max(128);
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ description: "Calendar day, such as 1990-04-30" });
export const address = z.strictObject({
  lines: z.array(text).min(1).max(4),
  city: text,
  region: maybe(text),
  postalCode: maybe(text),
  country,
});
export const deliveryMethod = z.enum(["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"]);
