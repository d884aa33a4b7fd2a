import { setTimeout as sleep } from "node:timers/promises";
import type { BatchedAnswer } from "./batch-calls.js";
import type { Call } from "../grpc/context.js";
import { isInteractionId } from "../grpc/metadata.js";
import { refusalToTrailer } from "../grpc/refusal-trailer.js";
import { invalidInput, Refusal } from "../refusal.js";
import { refusalOfUnexpected } from "./unexpected.js";

export interface AnswerEachOptions {
  /** What may be asked twice: who gets no answer here asks again, alone. */
  isRepeatable?: boolean;
  /** What is repeatable and not answered after so long gets no answer here. */
  patienceMs?: number | undefined;
}

interface Question<Request> {
  readonly interactionId: string;
  readonly request: Request;
}

// An answer leaves so long before the call's deadline that it still gets back.
const leftMs = 100;

/**
 * Each of the questions that came in one call answered, or refused, by itself and under its own
 * interaction id; one that takes long, or meets a bug, does not cost the others their answers.
 */
export async function answerEach<Request, Response>(
  questions: readonly Question<Request>[],
  call: Call,
  answer: (request: Request, call: Call) => Promise<Response>,
  { isRepeatable = false, patienceMs }: AnswerEachOptions = {},
): Promise<BatchedAnswer<Response>[]> {
  const over = new AbortController();
  const late = lateness(call, isRepeatable ? patienceMs : undefined, over.signal);
  const answers = questions.map(async ({ request, interactionId }, index): Promise<BatchedAnswer<Response>> => {
    const own = callOf(call, interactionId);
    try {
      if (!isInteractionId(interactionId)) throw invalidInput(`calls[${index}].interaction_id`, "is not one");
      return { response: await answer(request, own) };
    } catch (error) {
      // Nobody waits any more: how the whole call ended is said in one place.
      if (call.signal.aborted) throw error;
      if (error instanceof Refusal) return { refusal: refusalToTrailer(error) };
      const refusal = refusalOfUnexpected(error, interactionId, own.log);
      return isRepeatable && refusal.code === "INTERNAL" ? {} : { refusal: refusalToTrailer(refusal) };
    }
  });
  try {
    return await Promise.all(answers.map((one) => Promise.race([one, late])));
  } finally {
    over.abort();
  }
}

/** The answer of those who have none when it is time to go. */
async function lateness(
  { deadline }: Call,
  patienceMs: number | undefined,
  signal: AbortSignal,
): Promise<BatchedAnswer<never>> {
  const remainingMs = deadline === undefined ? 2 ** 31 - 1 : Math.max(0, deadline.getTime() - Date.now() - leftMs);
  const isPatience = patienceMs !== undefined && patienceMs < remainingMs;
  await sleep(isPatience ? patienceMs : remainingMs, undefined, { signal }).catch(() => undefined);
  if (isPatience) return {};
  return { refusal: refusalToTrailer(new Refusal("DEADLINE_EXCEEDED", "it took too long", { retryAfterS: 1 })) };
}

/**
 * As one of several in a call: what it logs names its own interaction. The logger is made
 * where it is asked for, as the call's is. (Spread: copying property descriptors takes three
 * times as long, at every question.)
 */
function callOf(call: Call, interactionId: string): Call {
  let log: Call["log"] | undefined;
  return {
    ...call,
    interactionId,
    get log() {
      log ??= call.log.child({ interactionId });
      return log;
    },
  };
}
