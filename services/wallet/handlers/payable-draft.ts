import type {
  IssuePayableRequest,
  IssuePayableResponse,
  RequestPaymentRequest,
  RequestPaymentResponse,
  RequestWithdrawalRequest,
  RequestWithdrawalResponse,
} from "../../../proto/gen/wallet/v1/payables.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { OnceRequest } from "../../kernel/idempotency/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { PayableItem } from "../domain/payable.js";
import { payableToWire } from "../wire/payables.js";
import { nowOf, type WalletDeps } from "./deps.js";

type PayableRequest = IssuePayableRequest | RequestPaymentRequest | RequestWithdrawalRequest;
type PayableResponse = IssuePayableResponse & RequestPaymentResponse & RequestWithdrawalResponse;

/**
 * Keeps a new item, planned behind the replay, which an account that was closed or removed since
 * does not change.
 */
export function keepPayable<Request extends PayableRequest>(
  { store, runOnce }: WalletDeps,
  keyed: Pick<OnceRequest<Request, PayableResponse>, "operation" | "request" | "requestType" | "response"> & {
    call: Call;
  },
  plan: () => Promise<PayableItem>,
): Promise<PayableResponse> {
  return runOnce<Request, PayableResponse, PayableItem>({
    ...keyed,
    prepare: plan,
    work: async (session, item) => {
      await store.forTenant(keyed.call.tenantId).insertPayable(item, session);
      return { payable: payableToWire(item, item.createdAt) };
    },
  });
}

/** Who alone may pay it; anybody where the request names nobody. Refuses CUSTOMER_NOT_FOUND. */
export async function checkedPayer(
  { identity }: WalletDeps,
  payerCustomerId: string,
  { tenantId, interactionId }: Call,
): Promise<Pick<PayableItem, "payerCustomerId">> {
  if (payerCustomerId === "") return {};
  textFromWire(payerCustomerId, "payerCustomerId");
  // Asked for ourselves: a customer may not look at another one, and learns here only that there is
  // one.
  await identity.getCustomer({ customerId: payerCustomerId }, outgoing({ tenantId, interactionId }));
  return { payerCustomerId };
}

/** Seconds; 0 is never. Refuses INVALID_INPUT. */
export function checkedExpiry(expiresInS: number): number {
  if (expiresInS !== 0 && (expiresInS < 60 || expiresInS > 31_536_000)) {
    throw invalidInput("expiresInS", "must be 60 to 31536000");
  }
  return expiresInS;
}

/** From now on the business clock. */
export async function timesOf(
  deps: WalletDeps,
  expiresInS: number,
  call: Call,
): Promise<Pick<PayableItem, "createdAt" | "expiresAt">> {
  const createdAt = await nowOf(deps, call);
  return { createdAt, ...(expiresInS > 0 && { expiresAt: new Date(createdAt.getTime() + expiresInS * 1_000) }) };
}
