import { ChangeKind, CodeChannel, type PaymentBinding } from "../../../proto/gen/identity/v1/second_factors.js";
import { moneyFromWire } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import type { Binding } from "../domain/code-bindings.js";
import type { ChangeByCode } from "../domain/step-up.js";

/** Channel of a code that is to be sent. Refuses INVALID_INPUT. */
export function channelFromWire(channel: CodeChannel): "EMAIL" | "SMS" {
  if (channel === CodeChannel.CODE_CHANNEL_SMS) return "SMS";
  if (channel === CodeChannel.CODE_CHANNEL_EMAIL) return "EMAIL";
  throw invalidInput("channel", "must be EMAIL or SMS");
}

/** What a code for a change is for. Refuses INVALID_INPUT. */
export function changeFromWire(change: ChangeKind): ChangeByCode {
  if (change === ChangeKind.CHANGE_KIND_PIN) return "PIN";
  if (change === ChangeKind.CHANGE_KIND_SECOND_FACTORS) return "OTP";
  if (change === ChangeKind.CHANGE_KIND_CONTACT) return "CONTACT";
  throw invalidInput("change", "must be PIN, SECOND_FACTORS or CONTACT");
}

/** What a code would be bound to. Refuses INVALID_INPUT. */
export function bindingFromWire(payment: PaymentBinding): Binding {
  const payee = payment.payee.trim();
  if (payee === "" || payee.length > 300)
    throw new Refusal("INVALID_INPUT", "payment.payee must have 1 to 300 characters");
  return { amount: moneyFromWire(payment.amount, "payment.amount"), payee };
}
