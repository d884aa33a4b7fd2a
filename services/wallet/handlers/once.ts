import type { Connection } from "mongoose";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf, runIdempotent, type Idempotency } from "../../shared/idempotency/index.js";
import type { Session } from "../store/index.js";
import { textFromWire } from "../wire/payments.js";

interface Message<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

export interface OnceOptions<Request extends { idempotencyKey: string }, Response> {
  /** The rpc's name. */
  operation: string;
  request: Request;
  requestType: Parameters<typeof fingerprintOf<Request>>[0];
  response: Message<Response>;
  call: Call;
  /** Left out of what the key stands for, beside the key itself. */
  omit?: (keyof Request)[];
  /** What is asked of others first, and not for a replay. A refusal leaves the key free. */
  before?(): Promise<void>;
  work(session: Session): Promise<Response>;
}

export type Once = ReturnType<typeof createOnce>;

/** Runs what is one transaction of our own database once per caller and key. */
export function createOnce({ db, idempotency }: { db: Connection; idempotency: Idempotency }) {
  return <Request extends { idempotencyKey: string }, Response>(run: OnceOptions<Request, Response>) => {
    const { operation, request, requestType, response, call, omit = [], before, work } = run;
    const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
    const fingerprint = fingerprintOf(requestType, request, ["idempotencyKey", ...omit]);
    const scope = { tenantId: call.tenantId, caller: actorOf(call), operation, key };
    return runIdempotent({ db, idempotency, scope, fingerprint, response, call, work, ...(before && { before }) });
  };
}
