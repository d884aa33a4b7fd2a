import { setTimeout as sleep } from "node:timers/promises";
import type { BatchedAnswer } from "./batch-calls.js";
import type { Call } from "../grpc/context.js";
import { isInteractionId } from "../grpc/metadata.js";
import { refusalToTrailer } from "../grpc/refusal-trailer.js";
import { invalidInput, Refusal } from "../refusal.js";

interface Question<Request> {
  readonly interactionId: string;
  readonly request: Request | undefined;
}

export interface AnswerEachOptions {
  /** Questions of one call; more of them are refused INVALID_INPUT as a whole. */
  most?: number;
  /** Makes a refusal of what is one. */
  refusalOf?(error: unknown, call: Call): unknown;
  /**
   * What is not answered after so long gets no answer here: who asked asks again, alone. For what
   * may be asked twice.
   */
  patienceMs?: number;
}

// An answer leaves so long before the call's deadline that it still gets back.
const leftMs = 100;

/**
 * Each of the questions that came in one call answered, or refused, by itself and under its own
 * interaction id; one that takes long does not cost the others their answers. What is no refusal is
 * a bug, and everybody's: they ask again one by one. `named` is the field that holds them.
 */
export async function answerEach<Request, Response>(
  named: string,
  questions: readonly Question<Request>[],
  call: Call,
  answer: (request: Request, call: Call) => Promise<Response>,
  { most = Infinity, refusalOf = (error) => error, patienceMs }: AnswerEachOptions = {},
): Promise<BatchedAnswer<Response>[]> {
  if (questions.length > most) throw invalidInput(named, `must be at most ${most}`);
  const over = new AbortController();
  const late = lateness(call, patienceMs, over.signal);
  const answers = questions.map(async ({ request, interactionId }, index): Promise<BatchedAnswer<Response>> => {
    const own = callOf(call, interactionId);
    try {
      if (request === undefined) throw invalidInput(`${named}[${index}].request`, "is required");
      if (!isInteractionId(interactionId)) throw invalidInput(`${named}[${index}].interaction_id`, "is not one");
      return { response: await answer(request, own) };
    } catch (error) {
      const known = refusalOf(error, own);
      if (known instanceof Refusal) return { refusal: refusalToTrailer(known) };
      throw error;
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
