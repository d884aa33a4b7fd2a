import { randomUUID } from "node:crypto";
import { createChannel, type Channel } from "nice-grpc";
import { BatchServiceDefinition, type CallBatchResponse } from "../../../proto/gen/batching/v1/batching.js";
import { Refusal } from "../refusal.js";
import { processMetrics } from "../telemetry/metrics.js";
import type { ServiceTokenSigner } from "../tokens/service-tokens.js";
import type { BatchedAnswer, BatchedQuestion } from "./batch-calls.js";
import { clientChannelOptions, defaultTimeoutMs } from "./channel-options.js";
import type { Call, ServiceName } from "./context.js";
import { timeoutHeader } from "./deadline.js";
import {
  encodeMessage,
  type GrpcDefinition,
  type RequestOf,
  type ResponseOf,
  type RpcDefinition,
  type RpcName,
  type WirePartial,
} from "./definition.js";
import { failureOf, isUntouched, isWorthRetrying } from "./client-failure.js";
import { metadataNames } from "./metadata.js";
import { attemptsOf, maxAttempts, pauseBefore } from "./retry.js";
import { createSenders, type Send } from "./send.js";
import { warmUpTenantId } from "../process/warm-up-tenant.js";

/**
 * What of a call travels on: a `Call`, or the little that work without one (an outbox row) knows.
 */
export type OutgoingContext = Pick<Call, "tenantId" | "interactionId"> &
  Partial<Pick<Call, "userToken" | "signal" | "deadline">>;

export interface OutgoingExtra {
  /** At most this long, within the call's deadline. */
  timeoutMs?: number;
  /**
   * Called before the answer (or the Refusal) is given when it is the stored answer of an earlier
   * call.
   */
  onReplayed?: () => void;
}

/** Made by `outgoing`. */
export type CallOptions = OutgoingContext & OutgoingExtra;

/** Every rpc takes a request and `outgoing(call)`; it answers, or throws a Refusal. */
export type Client<Def extends GrpcDefinition> = {
  [Rpc in RpcName<Def>]: (
    request: WirePartial<RequestOf<Def, Rpc>>,
    options: CallOptions,
  ) => Promise<ResponseOf<Def, Rpc>>;
};

/** A client that may also ask several of one rpc in one call (docs/batching.md). */
export interface Batching<Def extends GrpcDefinition> {
  /** An answer for each, in the order asked. Throws where the call as a whole is refused. */
  batch<Rpc extends RpcName<Def>>(
    rpc: Rpc,
    questions: readonly BatchedQuestion<WirePartial<RequestOf<Def, Rpc>>>[],
    options: CallOptions,
  ): Promise<readonly BatchedAnswer<ResponseOf<Def, Rpc>>[]>;
}

export type BatchingClient<Def extends GrpcDefinition> = Client<Def> & Batching<Def>;

/** Passes tenant, interaction id, user token, signal and deadline of a call on to the next. */
export function outgoing(call: OutgoingContext, extra: OutgoingExtra = {}): CallOptions {
  const { tenantId, interactionId, userToken, signal, deadline } = call;
  return {
    tenantId,
    interactionId,
    ...(userToken === undefined ? {} : { userToken }),
    ...(signal === undefined ? {} : { signal }),
    ...(deadline === undefined ? {} : { deadline }),
    ...extra,
  };
}

/**
 * As outgoing, in nobody's name: what may go together with others' calls, since a user's token is
 * one caller's.
 */
export function outgoingUnnamed(
  { userToken: _user, ...call }: OutgoingContext,
  extra: OutgoingExtra = {},
): CallOptions {
  return outgoing(call, extra);
}

export interface ClientOptions {
  /**
   * host:port, where every address the name resolves to is used in turn; or several IPv4 ones, with
   * commas between.
   */
  address: string;
  audience: ServiceName;
  signer: ServiceTokenSigner;
  /** For calls that name neither deadline nor timeout. */
  timeoutMs?: number;
}

/**
 * Typed client of a service. Refusals of the other side are thrown as Refusals; where it cannot be
 * reached UNAVAILABLE (after up to 3 attempts where the .proto marks the rpc idempotent), where it
 * took too long DEADLINE_EXCEEDED: the outcome is then unknown, not negative.
 */
export function createClient<Def extends GrpcDefinition>(
  definition: Def,
  options: ClientOptions,
): BatchingClient<Def> & { close(): void } {
  const channel = openChannel(options);
  const senders = createSenders(definition, channel);
  const batch = createBatch(definition, createSenders(BatchServiceDefinition, channel)["callBatch"]!, options);
  const client: Record<string, unknown> = { batch, close: () => channel.close() };
  for (const [rpc, method] of Object.entries(definition.methods)) {
    const send = senders[rpc];
    if (send === undefined) throw new Error(`${definition.fullName} has no ${rpc}`);
    client[rpc] = createRpc({ path: `${definition.fullName}/${method.name}`, method, send, options });
  }
  return client as unknown as BatchingClient<Def> & { close(): void };
}

/**
 * Over mutual TLS where the signer has a certificate. The other side's must name the audience,
 * whatever the address.
 */
function openChannel({ address, audience, signer: { tls } }: ClientOptions): Channel {
  if (tls === undefined) return createChannel(targetOf(address), undefined, clientChannelOptions);
  return createChannel(targetOf(address), tls.channelCredentials, {
    ...clientChannelOptions,
    "grpc.ssl_target_name_override": tls.nameOf(audience),
  });
}

function targetOf(address: string): string {
  return address.includes(",") ? `ipv4:${address}` : `dns:///${address}`;
}

interface Rpc {
  readonly path: string;
  readonly method: RpcDefinition;
  readonly send: Send;
  readonly options: ClientOptions;
}

function createRpc(rpc: Rpc) {
  const { method, options } = rpc;
  const attempts = attemptsOf(method);
  return async (request: unknown, call: CallOptions): Promise<unknown> => {
    const bytes = encodeMessage(method.requestType, request as never);
    const startedAt = performance.now();
    const called = (code: string): void => {
      if (call.tenantId === warmUpTenantId) return;
      processMetrics.rpc("client", rpc.path, code, (performance.now() - startedAt) / 1_000);
    };
    const deadlineMs = Math.min(
      call.deadline?.getTime() ?? Infinity,
      Date.now() +
        (call.timeoutMs ?? (call.deadline === undefined ? (options.timeoutMs ?? defaultTimeoutMs) : Infinity)),
    );
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = method.responseType.decode(await sendOnce(rpc, bytes, call, deadlineMs));
        called("OK");
        return answer;
      } catch (error) {
        const allowed = isUntouched(error) ? maxAttempts : attempts;
        const isAnother = attempt < allowed && isWorthRetrying(error);
        const mayRetry = (isAnother || isOurOwn(error, attempt)) && call.signal?.aborted !== true;
        if (mayRetry && (await pauseBefore(Math.min(attempt + 1, maxAttempts), deadlineMs, call.signal))) continue;
        called(error instanceof Refusal ? error.code : "CANCELLED_OR_UNKNOWN");
        throw error;
      }
    }
  };
}

/** Sends several of one rpc: named as it in errors and figures, repeated as often as it may be. */
function createBatch<Def extends GrpcDefinition>(
  definition: Def,
  send: Send,
  options: ClientOptions,
): Batching<Def>["batch"] {
  const { callBatch } = BatchServiceDefinition.methods;
  return async (rpc, questions, call) => {
    const { name, requestType, responseType, options: repeating }: RpcDefinition = definition.methods[rpc]!;
    const calls = questions.map(({ interactionId, request }) => ({
      interactionId,
      request: encodeMessage(requestType, request),
    }));
    const path = `${definition.fullName}/${name}`;
    const callAll = createRpc({ path, method: { ...callBatch, options: repeating }, send, options });
    const { answers } = (await callAll({ rpc: name, calls }, call)) as CallBatchResponse;
    return answers.map(({ response, refusal }) => ({ response: response && responseType.decode(response), refusal }));
  };
}

/**
 * Where an attempt's answer was lost on the way, the work that runs under its key is that
 * attempt's: it ends soon.
 */
function isOurOwn(error: unknown, attempt: number): boolean {
  return attempt > 1 && error instanceof Refusal && error.code === "IDEMPOTENCY_IN_FLIGHT";
}

async function sendOnce(rpc: Rpc, bytes: Uint8Array, call: CallOptions, deadlineMs: number): Promise<Uint8Array> {
  const { signer, audience } = rpc.options;
  const token = await signer.tokenFor(audience);
  const remainingMs = deadlineMs - Date.now();
  if (remainingMs <= 0) throw new Refusal("DEADLINE_EXCEEDED", `no time left to call ${rpc.path}`);
  if (call.signal?.aborted === true) throw abortReason(call.signal);

  const received: ((name: string) => string | undefined)[] = [];
  const valueOf = (name: string) => received.map((valueIn) => valueIn(name)).find((value) => value !== undefined);
  try {
    return await rpc.send(bytes, {
      headers: headersOf(call, token, remainingMs),
      remainingMs,
      signal: call.signal,
      onMetadata: (valueIn) => void received.push(valueIn),
    });
  } catch (error) {
    throw failureOf(error, {
      path: rpc.path,
      refusal: valueOf(metadataNames.refusal),
      signal: call.signal,
      deadlineMs,
    });
  } finally {
    if (valueOf(metadataNames.replayed) === "true") call.onReplayed?.();
  }
}

/** grpc-js is not told of the deadline: the header tells the other side, a timer ends our wait. */
function headersOf(call: CallOptions, serviceToken: string, remainingMs: number): Record<string, string> {
  const headers: Record<string, string> = {
    [metadataNames.authorization]: `Bearer ${serviceToken}`,
    [metadataNames.timeout]: timeoutHeader(remainingMs),
    [metadataNames.interactionId]: call.interactionId === "" ? randomUUID() : call.interactionId,
  };
  if (call.tenantId !== "") headers[metadataNames.tenantId] = call.tenantId;
  if (call.userToken !== undefined) {
    // Checked here since metadata would quote a token with odd characters in its error.
    if (!/^[\w.-]+$/.test(call.userToken)) throw new Refusal("UNAUTHENTICATED", "the access token is malformed");
    headers[metadataNames.userToken] = call.userToken;
  }
  return headers;
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("the call was cancelled", "AbortError");
}
