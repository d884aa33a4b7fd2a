import type { SagaRequest } from "./sagas/index.js";
import { runIdentified } from "./sagas/run-saga.js";
import type { Scope } from "./idempotency/index.js";

export * from "./sagas/index.js";

/** @deprecated Until every service calls runSaga of sagas/index.ts. */
export interface KeyedSaga<Response> extends Pick<
  SagaRequest<never, Response>,
  "idempotency" | "sagas" | "start" | "resume"
> {
  call: Pick<SagaRequest<never, Response>["call"], "markReplayed" | "askedForm" | "answerIn">;
  response: { decode(bytes: Uint8Array): Response };
  scope: Scope;
  fingerprint: string;
}

/** @deprecated Until every service calls runSaga of sagas/index.ts. */
export function runKeyedSaga<Response>(run: KeyedSaga<Response>): Promise<Response> {
  return runIdentified(run as never, run);
}
