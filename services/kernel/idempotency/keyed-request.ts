import { actorOf, type Call } from "../grpc/context.js";
import type { MessageType } from "../grpc/definition.js";
import { invalidInput, isAwayOrLate, Refusal } from "../refusal.js";
import { refusalOf, type Scope, type StoredAnswer } from "./answer.js";
import { fingerprintOf } from "./fingerprint.js";
import { RequestInFlight, type AnsweredCall, type Idempotency } from "./idempotency.js";

/** A client's request that is done once per caller and key. */
export interface KeyedRequest<Request extends { idempotencyKey: string }, Response> {
  /** The rpc's name. */
  readonly operation: string;
  readonly request: Request;
  readonly requestType: MessageType<Request>;
  /** What is stored of an answer are its encoded bytes. */
  readonly response: MessageType<Response>;
  /** Is told what is replayed. */
  readonly call: Pick<Call, "tenantId" | "caller" | "user"> & AnsweredCall;
  /**
   * Whose key it is; the user, or the service that calls where no user rides along, when absent.
   */
  readonly caller?: string;
  /**
   * Fields that may differ between tries of one request, beside the key: passwords, PINs,
   * addresses.
   */
  readonly omit?: readonly (keyof Request)[];
}

/**
 * What the request is known by. Refuses INVALID_INPUT for a key that is not 1 to 255 printable
 * characters.
 */
export function identifyRequest<Request extends { idempotencyKey: string }, Response>(
  keyed: KeyedRequest<Request, Response>,
): { scope: Scope; fingerprint: string } {
  const { operation, request, requestType, call, caller = actorOf(call), omit = [] } = keyed;
  const key = request.idempotencyKey;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalidInput("idempotencyKey", "must be 1 to 255 printable characters");
  const scope = { tenantId: call.tenantId, caller, operation, key };
  return { scope, fingerprint: fingerprintOf(requestType, request, ["idempotencyKey", ...omit]) };
}

/**
 * The answer of an equal request that was faster and has ended: its commit made ours fail with
 * RequestInFlight, or what it did is why ours is refused. Throws `error` where it is a fault, where
 * nobody could answer ours, or where no equal request has ended.
 */
export async function answerOfFaster(
  idempotency: Idempotency,
  { scope, fingerprint }: { scope: Scope; fingerprint: string },
  call: AnsweredCall | undefined,
  error: unknown,
): Promise<StoredAnswer> {
  if (!(error instanceof Refusal) || isAwayOrLate(error)) throw error;
  if (!(error instanceof RequestInFlight)) {
    const answer = await idempotency.answerOf({ scope, fingerprint }).catch(() => undefined);
    if (answer === undefined) throw error;
  }
  const claim = await idempotency.claim(scope, fingerprint, call);
  if (claim.kind === "replay") return claim.answer;
  await idempotency.forget(claim.ticket).catch(() => undefined);
  throw error;
}

/** The response that a stored answer holds; throws the refusal that it is. */
export function renderAnswer<Response>(
  response: { decode(bytes: Uint8Array): Response },
  answer: StoredAnswer,
): Response {
  if (answer.kind === "refusal") throw refusalOf(answer);
  return response.decode(answer.bytes);
}
