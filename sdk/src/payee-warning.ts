import { ApiError } from "./errors.js";

/** Why an order, or a recipient, was not taken: its account is in another name. */
export interface PayeeWarning {
  /** Sent with the same again, it goes on; within 15 minutes, under another idempotency key. */
  payeeCheckId: string;
  /** ISO 8601, by the organisation's time. */
  validUntil: string;
  /** The name on the account, where it is close; absent where it is somebody else's. */
  accountName?: string;
}

/** What a refusal warns of where the account is not the payee's; undefined for any other error. */
export function payeeWarningOf(error: unknown): PayeeWarning | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { code, figures } = error;
  if (code !== "PAYEE_NAME_DIFFERS" && code !== "PAYEE_NOT_MATCHED") return undefined;
  const { payeeCheckId = "", validUntil = "", accountName } = figures;
  return { payeeCheckId, validUntil, ...(accountName !== undefined && { accountName }) };
}
