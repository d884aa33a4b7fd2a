import { randomUUID } from "node:crypto";
import { ServerError, Status, type CallContext } from "nice-grpc";
import type { Logger } from "pino";
import { Refusal, refusalTable } from "../refusal.js";
import { processMetrics } from "../telemetry/metrics.js";
import { admit, UnprovenCaller, type Admitted, type RpcAccess, type Verifiers } from "./access.js";
import { defaultTimeoutMs } from "./channel-options.js";
import type { Call } from "./context.js";
import { hasPassed } from "./deadline.js";
import { encodeMessage, type MessageType, type RpcDefinition } from "./definition.js";
import { isInteractionId, metadataNames } from "./metadata.js";
import { refusalToTrailer } from "./refusal-trailer.js";
import { ClocksDiffer } from "../tokens/service-tokens.js";
import { refusalOfUnexpected } from "./unexpected.js";
import { warmUpTenantId } from "../process/warm-up-tenant.js";

export interface ServedRpc {
  /** package.Service/Rpc */
  readonly path: string;
  readonly method: RpcDefinition;
  readonly access: RpcAccess;
  readonly handler: (request: unknown, call: Call) => Promise<unknown>;
  readonly verifiers: Verifiers;
  readonly log: Logger;
}

type AnswerBytes = (request: Uint8Array, context: CallContext) => Promise<Uint8Array>;

/**
 * Wraps a handler: admits the caller, decodes, gives it its Call, encodes, and maps what is thrown.
 */
export function serveRpc(rpc: ServedRpc): AnswerBytes {
  return async (bytes, context) => {
    const frame = frameOf(rpc, context);
    const startedAt = performance.now();
    const served = (code: string, isProven = true): void => {
      if (isProven && context.metadata.get(metadataNames.tenantId) === warmUpTenantId) return;
      processMetrics.rpc("server", rpc.path, code, (performance.now() - startedAt) / 1_000);
    };
    let admitted: Admitted | undefined;
    try {
      admitted = await admit(rpc.access, context.metadata, rpc.verifiers, frame);
      // A caller who stopped waiting while we were busy has no work begun for them.
      frame.signal.throwIfAborted();
      const request = decodeRequest(rpc.method.requestType, bytes);
      const answer = await rpc.handler(request, callOf(frame, admitted, context));
      const encoded = encodeMessage(rpc.method.responseType, answer as never);
      served("OK");
      return encoded;
    } catch (error) {
      const failure = serverErrorOf(error, frame, admitted, context);
      const code = error instanceof Refusal ? error.code : (Status[failure.code] ?? "UNKNOWN");
      served(code, !(error instanceof UnprovenCaller));
      throw failure;
    }
  };
}

interface Frame {
  readonly rpc: ServedRpc;
  readonly interactionId: string;
  readonly deadline: Date;
  readonly signal: AbortSignal;
}

function frameOf(rpc: ServedRpc, context: CallContext): Frame {
  const interactionId = context.metadata.get(metadataNames.interactionId);
  const deadlineMs = context.metadata.get(metadataNames.deadline);
  const named = { rpc, interactionId: isInteractionId(interactionId) ? interactionId : randomUUID() };
  if (deadlineMs !== undefined) return { ...named, deadline: new Date(Number(deadlineMs)), signal: context.signal };
  // A caller that names no deadline gets ours; grpc-js ends the call by itself only where one was
  // named.
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(defaultTimeoutMs)]);
  return { ...named, deadline: new Date(Date.now() + defaultTimeoutMs), signal };
}

function callOf({ rpc, interactionId, deadline, signal }: Frame, admitted: Admitted, context: CallContext): Call {
  let log: Logger | undefined;
  return {
    ...admitted,
    interactionId,
    deadline,
    signal,
    // A child logger costs more than most calls need.
    get log() {
      const { tenantId, caller } = admitted;
      log ??= rpc.log.child({ rpc: rpc.path, tenantId, caller, interactionId });
      return log;
    },
    // In the header: the instrumentation that traces calls drops the trailer of an answer.
    markReplayed: () => void context.header.set(metadataNames.replayed, "true"),
  };
}

/** Refuses INVALID_INPUT for bytes that are no such message. */
export function decodeRequest(type: MessageType<unknown>, bytes: Uint8Array): unknown {
  try {
    return type.decode(bytes);
  } catch {
    throw new Refusal("INVALID_INPUT", "the request is not a message of the rpc's request type");
  }
}

function serverErrorOf(
  error: unknown,
  frame: Frame,
  admitted: Admitted | undefined,
  context: CallContext,
): ServerError {
  const { rpc, interactionId, signal, deadline } = frame;
  const about = { rpc: rpc.path, tenantId: admitted?.tenantId, caller: admitted?.caller, interactionId };
  if (error instanceof ClocksDiffer) {
    const { caller, behindS } = error;
    processMetrics.clocksDiffer.inc({ caller });
    rpc.log.error({ ...about, caller, behindS }, "the clocks of the caller and of this process differ");
  }
  if (error instanceof Refusal) return refuse(error, context);
  if (error instanceof UnprovenCaller) {
    rpc.log.warn({ ...about, peer: context.peer }, `caller turned away: ${error.message}`);
    return new ServerError(Status.UNAUTHENTICATED, error.message);
  }
  if (signal.aborted) {
    // An abort is no bug once nobody waits for the call; any other error may be one and is logged.
    if (!isAbortError(error)) rpc.log.warn({ ...about, err: error }, "failed after its call had ended");
    const expired = hasPassed(deadline.getTime());
    return expired
      ? refuse(new Refusal("DEADLINE_EXCEEDED", "the deadline has passed"), context)
      : new ServerError(Status.CANCELLED, "the call was cancelled");
  }
  return refuse(refusalOfUnexpected(error, interactionId, rpc.log, about), context);
}

// A DOMException is not always an instance of this realm's Error.
function isAbortError(error: unknown): boolean {
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "AbortError" || name === "TimeoutError";
}

function refuse(refusal: Refusal, context: CallContext): ServerError {
  context.trailer.set(metadataNames.refusal, refusalToTrailer(refusal));
  // grpc-js throws on text that is not well-formed; the whole message travels in the trailer.
  return new ServerError(refusalTable[refusal.code].grpc, refusal.message.slice(0, 200).toWellFormed());
}
