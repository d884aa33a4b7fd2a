import type { PartnerAnswer } from "../partners/sender.js";
import { Refusal } from "../../kernel/refusal.js";

/**
 * What a bank or an acquirer answered. Throws an Error for a status
 * that says nothing about the money.
 */
export function bodyOf({ status, body }: PartnerAnswer, what: string): unknown {
  if (status === 200 || status === 202) return body;
  if (status === 409) throw new Refusal("STATE_CONFLICT", `the bank has something else under the reference of ${what}`);
  throw new Error(`the bank answered ${what} with status ${status}`);
}
