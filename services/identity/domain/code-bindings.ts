import { createHash } from "node:crypto";
import type { Money } from "../../kernel/money.js";
import type { GuardedChange } from "./step-up.js";

/** The payment that a code is good for. */
export interface Binding {
  amount: Money;
  payee: string;
}

/** What a code for a payment is bound to, as it is compared. */
export function bindingDigest({ amount, payee }: Binding): string {
  return digestOf([String(amount.minor), amount.currency, payee]);
}

/** What a code for a change is bound to, as it is compared. */
export function changeDigest(change: GuardedChange, channel: "EMAIL" | "SMS"): string {
  return digestOf(["CHANGE", change, channel]);
}

function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
