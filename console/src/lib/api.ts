import { Manilla, type List } from "@manilla/client";
import { isSandbox } from "./environment";
import { withOneKey } from "./idempotency";
import { session } from "./session";

/** Of one try: an answer that does not come is a broken network. */
const tryMs = 20_000;
// A call waits while a person signs in again, so its own time is long.
const callMs = 30 * 60_000;

/** The API, as whoever is signed in. Below /sandbox where this tab looks at the sandbox. */
export const api = new Manilla({
  baseUrl: location.origin,
  credentials: { accessToken: (spent) => session.accessToken(spent) },
  sandbox: isSandbox,
  timeoutMs: callMs,
  // Pages ask again by themselves, and people by a click: they are told at once when to.
  retries: 0,
  platform: "CONSOLE",
  fetch: withOneKey((url, init) =>
    fetch(url, { ...init, signal: isStream(url) ? whileSignedIn(init.signal) : within(init.signal) }),
  ) as typeof fetch,
});

/** What goes on for as long as there is something to say, or a file has bytes. */
function isStream(url: string): boolean {
  return /\/events\/stream|\/ledger\/export|\/closings\/\d+\/package|\/exports\/[^/]+\/content/.test(url);
}

function whileSignedIn(...signals: (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any([session.requests(), ...signals.filter((signal) => signal != null)]);
}

const within = (signal: AbortSignal | null | undefined) => whileSignedIn(signal, AbortSignal.timeout(tryMs));

type Result<Method> = Method extends (...given: never[]) => infer R ? R : never;

/** What a method of the API answers: `AnswerOf<typeof api.transactions.read>`. */
export type AnswerOf<Method> = Awaited<Result<Method>>;

/** A row of what a method lists. */
export type RowOf<Method> =
  Result<Method> extends List<infer Row> ? Row : AnswerOf<Method> extends readonly (infer Row)[] ? Row : never;
