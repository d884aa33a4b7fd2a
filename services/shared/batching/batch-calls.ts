import { AsyncLocalStorage } from "node:async_hooks";
import { ClientError, Status } from "nice-grpc";
import { defaultTimeoutMs } from "../grpc/channel-options.js";
import { outgoing, type CallOptions } from "../grpc/client.js";
import { refusalFromTrailer } from "../grpc/refusal-trailer.js";
import { createBatcher } from "./batcher.js";
import { isAwayOrLate, Refusal } from "../refusal.js";

/** One caller's question in a call of several. */
export interface BatchedQuestion<Request> {
  readonly interactionId: string;
  readonly request: Request;
}

/** One of the two; neither where the answer was not there in time to go with the others: it is asked for alone. */
export interface BatchedAnswer<Response> {
  readonly response?: Response | undefined;
  /** As in the trailer of a call that is refused. */
  readonly refusal?: string | undefined;
}

export interface BatchCallsOptions<Request, Response> {
  /** What is asked for, as errors name it, such as "posting". */
  readonly what: string;
  /** The rpc of one. */
  alone(request: Request, call: CallOptions): Promise<Response>;
  /** The rpc of several: an answer for each, in the order asked. */
  together(questions: BatchedQuestion<Request>[], call: CallOptions): Promise<readonly BatchedAnswer<Response>[]>;
  /** Whether asking again does no harm; true when absent. Otherwise what fails as a whole has failed for all of them. */
  readonly isRepeatable?: boolean;
  /** Of all in one call. */
  readonly maxBatchSize: number;
  /** Calls of a tenant at a time; 2 when absent: one is decided while the next is on its way. */
  readonly maxInFlight?: number;
  /** How long a call holds back the next one at most, ms; 250 when absent. */
  readonly maxHoldMs?: number;
  /** When so many wait they are not held back: as many calls of a tenant may then be under way; maxInFlight when absent. */
  readonly enough?: { readonly members: number; readonly maxInFlight: number };
  /** A call is no smaller than this while more wait; as maxBatchSize when absent. */
  readonly minBatchSize?: number;
  /** What a question counts for in maxBatchSize; 1 when absent. One that is heavier than a quarter of it goes alone. */
  weightOf?(request: Request): number;
}

interface Member<Request, Response> {
  readonly request: Request;
  readonly call: CallOptions;
  readonly weight: number;
  readonly deadlineMs: number;
  /** What is sent for it alone belongs to its own trace. */
  readonly within: <T>(work: () => T) => T;
  readonly resolve: (answer: Response) => void;
  readonly reject: (error: unknown) => void;
}

// What the other side has not got yet it will have after its next release.
const aloneForMs = 60_000;

/**
 * An rpc as one process's callers see it: what they ask for while calls are under way goes out with the next one, since a call costs
 * several times what a question in it does. A lone one goes out at once. Each has its own answer, refusal and deadline, and no user's
 * token: a call that carries one goes alone.
 */
export function batchCalls<Request, Response>(options: BatchCallsOptions<Request, Response>) {
  const {
    what,
    alone,
    together,
    isRepeatable = true,
    maxInFlight = 2,
    maxHoldMs = 250,
    enough,
    maxBatchSize,
    minBatchSize = maxBatchSize,
    weightOf = () => 1,
  } = options;
  let aloneUntilMs = 0;
  const lanes = createBatcher<Member<Request, Response>>({
    maxBatchSize,
    maxInFlight,
    maxHoldMs,
    ...(enough && { enough }),
    minBatchSize,
    weightOf: ({ weight }) => weight,
    run: (tenantId, members) => send(tenantId, members),
  });

  function send(tenantId: string, all: readonly Member<Request, Response>[]): Promise<void> {
    const members = all.filter((member) => isWanted(what, member));
    if (members.length === 0) return Promise.resolve();
    const [first] = members;
    return members.length === 1 && first !== undefined ? sendAlone(first) : sendTogether(tenantId, members);
  }

  function sendAlone({ request, call, within, resolve, reject }: Member<Request, Response>): Promise<void> {
    return within(() => alone(request, call)).then(resolve, reject);
  }

  async function sendTogether(tenantId: string, members: readonly Member<Request, Response>[]): Promise<void> {
    const ends = members.map((member) => leaveEarly(what, member));
    try {
      const latest = Math.max(...members.map(({ deadlineMs }) => deadlineMs));
      const { interactionId } = members[0]!.call;
      const questions = members.map(({ request, call }) => ({ interactionId: call.interactionId, request }));
      const answers = await together(questions, outgoing({ tenantId, interactionId, deadline: new Date(latest) }));
      const late: Member<Request, Response>[] = [];
      for (const [index, member] of members.entries()) {
        const { response, refusal } = answers[index] ?? {};
        if (response !== undefined) member.resolve(response);
        else if (refusal !== undefined || !isRepeatable) member.reject(refusedWith(what, refusal));
        else late.push(member);
      }
      // The call is over; nobody waits for these but those who asked.
      void Promise.all(late.map(sendAlone));
    } catch (error) {
      const isUnknown = error instanceof ClientError && error.code === Status.UNIMPLEMENTED;
      if (isUnknown) aloneUntilMs = Date.now() + aloneForMs;
      if (isAwayOrLate(error) || !(isUnknown || isRepeatable)) for (const { reject } of members) reject(error);
      // Whoever among them caused it shall have it alone; every key decides once.
      else await Promise.all(members.map(sendAlone));
    } finally {
      for (const end of ends) end();
    }
  }

  return (request: Request, call: CallOptions): Promise<Response> => {
    const weight = weightOf(request);
    const goesAlone = call.userToken !== undefined || weight > Math.max(1, maxBatchSize / 4);
    if (goesAlone || Date.now() < aloneUntilMs) return alone(request, call);
    return new Promise((resolve, reject) =>
      lanes.join(call.tenantId, {
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

type Waiting = Pick<Member<never, never>, "deadlineMs" | "call" | "reject">;

/** Whoever has left while they waited is told so, and nothing is asked for them: a code that works once would be used up. */
function isWanted(what: string, { deadlineMs, call: { signal }, reject }: Waiting): boolean {
  if (signal?.aborted === true) reject(signal.reason);
  else if (deadlineMs <= Date.now()) reject(tooLate(what));
  else return true;
  return false;
}

function tooLate(what: string): Refusal {
  return new Refusal("DEADLINE_EXCEEDED", `the ${what} took too long`, { retryAfterS: 1 });
}

/** At its own deadline, or when its caller gives up; the call goes on for the others. Gives what ends the watch. */
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
  const asked = timeoutMs ?? (deadline === undefined ? defaultTimeoutMs : Infinity);
  return Math.min(deadline?.getTime() ?? Infinity, Date.now() + asked);
}
