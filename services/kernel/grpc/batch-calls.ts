import { AsyncLocalStorage } from "node:async_hooks";
import { defaultTimeoutMs } from "../grpc/channel-options.js";
import { outgoing, type CallOptions } from "../grpc/client.js";
import { refusalFromTrailer } from "../grpc/refusal-trailer.js";
import { createBatcher, type BatcherOptions } from "../batching/batcher.js";
import { isAwayOrLate, Refusal } from "../refusal.js";

/** One caller's question in a call of several. */
export interface BatchedQuestion<Request> {
  readonly interactionId: string;
  readonly request: Request;
}

/**
 * One of the two; neither where the answer was not there in time to go with the others: it is asked
 * for again by itself.
 */
export interface BatchedAnswer<Response> {
  readonly response?: Response | undefined;
  /** As in the trailer of a call that is refused. */
  readonly refusal?: string | undefined;
}

export interface BatchCallsOptions<Request, Response> extends Pick<
  BatcherOptions<never>,
  "maxBatchSize" | "maxHoldMs" | "surge"
> {
  /** What is asked for, as errors name it, such as "posting". */
  readonly what: string;
  /** The rpc of one. */
  single(request: Request, call: CallOptions): Promise<Response>;
  /** The rpc of several: an answer for each, in the order asked. */
  batch(questions: BatchedQuestion<Request>[], call: CallOptions): Promise<readonly BatchedAnswer<Response>[]>;
  /**
   * Whether asking again does no harm; true when absent. Otherwise a batch that fails has failed
   * for all of it.
   */
  readonly isRepeatable?: boolean;
  /** Calls of a tenant at a time; 2 when absent: one is decided while the next is on its way. */
  readonly maxInFlight?: number;
  /** As the batcher's; maxBatchSize when absent. */
  readonly minBatchSize?: number;
  /**
   * What a question counts for in maxBatchSize; 1 when absent. One heavier than a quarter of it
   * goes by itself.
   */
  weightOf?(request: Request): number;
}

interface Question<Request, Response> {
  readonly request: Request;
  readonly call: CallOptions;
  readonly weight: number;
  readonly deadlineMs: number;
  /** What is sent for it by itself belongs to its own trace. */
  readonly within: <T>(work: () => T) => T;
  readonly resolve: (answer: Response) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches an rpc of one process's callers (docs/batching.md): what they ask for while calls are in
 * flight goes out with the next one, since a call costs several times what a question in it does. A
 * lone question goes out at once. Each has its own answer, refusal and deadline, and no user's
 * token: a question that carries one goes by itself.
 */
export function batchCalls<Request, Response>(options: BatchCallsOptions<Request, Response>) {
  const {
    what,
    single,
    batch,
    isRepeatable = true,
    maxInFlight = 2,
    maxHoldMs = 250,
    surge,
    maxBatchSize,
    minBatchSize = maxBatchSize,
    weightOf = () => 1,
  } = options;
  const batcher = createBatcher<Question<Request, Response>>({
    maxBatchSize,
    maxInFlight,
    maxHoldMs,
    ...(surge && { surge }),
    minBatchSize,
    weightOf: ({ weight }) => weight,
    run: (tenantId, questions) => send(tenantId, questions),
  });

  function send(tenantId: string, all: readonly Question<Request, Response>[]): Promise<void> {
    const questions = all.filter((question) => isWanted(what, question));
    if (questions.length === 0) return Promise.resolve();
    const [first] = questions;
    return questions.length === 1 && first !== undefined ? sendSingle(first) : sendBatch(tenantId, questions);
  }

  function sendSingle({ request, call, within, resolve, reject }: Question<Request, Response>): Promise<void> {
    return within(() => single(request, call)).then(resolve, reject);
  }

  async function sendBatch(tenantId: string, questions: readonly Question<Request, Response>[]): Promise<void> {
    const watches = questions.map((question) => leaveEarly(what, question));
    try {
      const latestMs = Math.max(...questions.map(({ deadlineMs }) => deadlineMs));
      const { interactionId } = questions[0]!.call;
      const requested = questions.map(({ request, call }) => ({ interactionId: call.interactionId, request }));
      const answers = await batch(requested, outgoing({ tenantId, interactionId, deadline: new Date(latestMs) }));
      const unanswered: Question<Request, Response>[] = [];
      for (const [index, question] of questions.entries()) {
        const { response, refusal } = answers[index] ?? {};
        if (response !== undefined) question.resolve(response);
        else if (refusal !== undefined || !isRepeatable) question.reject(refusedWith(what, refusal));
        else unanswered.push(question);
      }
      // The batch does not wait for these: only those who asked do.
      void Promise.all(unanswered.map(sendSingle));
    } catch (error) {
      if (isAwayOrLate(error) || !isRepeatable) for (const { reject } of questions) reject(error);
      // A question that caused the fault meets it by itself, and every key decides once.
      else await Promise.all(questions.map(sendSingle));
    } finally {
      for (const end of watches) end();
    }
  }

  return (request: Request, call: CallOptions): Promise<Response> => {
    const weight = weightOf(request);
    if (call.userToken !== undefined || weight > Math.max(1, maxBatchSize / 4)) return single(request, call);
    return new Promise((resolve, reject) =>
      batcher.add(call.tenantId, {
        request,
        call,
        weight,
        deadlineMs: deadlineOf(call),
        within: AsyncLocalStorage.snapshot(),
        resolve,
        reject,
      }),
    );
  };
}

function refusedWith(what: string, refusal: string | undefined): Error {
  return refusalFromTrailer(refusal) ?? new Error(`a ${what} was answered with nothing`);
}

type Waiting = Pick<Question<never, never>, "deadlineMs" | "call" | "reject">;

/**
 * False for a caller who has left, who is told so: nothing is asked for them, since a code that
 * works once would be used up.
 */
function isWanted(what: string, { deadlineMs, call: { signal }, reject }: Waiting): boolean {
  if (signal?.aborted === true) reject(signal.reason);
  else if (deadlineMs <= Date.now()) reject(tooLate(what));
  else return true;
  return false;
}

function tooLate(what: string): Refusal {
  return new Refusal("DEADLINE_EXCEEDED", `the ${what} took too long`, { retryAfterS: 1 });
}

/**
 * Rejects a question at its own deadline, or when its caller gives up; the call goes on for the
 * others. Gives what ends the watch.
 */
function leaveEarly(what: string, { deadlineMs, call: { signal }, reject }: Waiting): () => void {
  const late = () => reject(tooLate(what));
  const timer = setTimeout(late, Math.max(0, Math.min(deadlineMs - Date.now(), 2 ** 31 - 1)));
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

function deadlineOf({ deadline, timeoutMs }: CallOptions): number {
  const requested = timeoutMs ?? (deadline === undefined ? defaultTimeoutMs : Infinity);
  return Math.min(deadline?.getTime() ?? Infinity, Date.now() + requested);
}
