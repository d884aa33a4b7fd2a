import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createEdgeClient,
  services,
  type DemoUser,
  type EdgeAnswer,
  type EdgeClient,
} from "../../support/edge-client.js";

export const paymentsPath = `${services}/paymentmanagement`;
const patienceMs = 180_000;

export interface OwnWallet {
  readonly accountId: string;
  readonly accountNumber: string;
  readonly currency: string;
}

export type Session = ReturnType<typeof createSession>;

/**
 * Somebody's app: it logs in again when its token is over, and sends a request until it is answered
 * for good.
 */
export function createSession(baseUrl: string, user: DemoUser, failed: () => void) {
  const client = createEdgeClient(baseUrl);
  let signingIn: Promise<void> | undefined;
  let known: readonly OwnWallet[] | undefined;
  const waiting = new Set<{ readonly sinceMs: number; lastAnswer: string }>();

  async function signIn(): Promise<void> {
    const answer = await client.login(user).catch(() => undefined);
    if (answer?.status === 200) return;
    for (const wait of waiting) wait.lastAnswer = `log-in: ${answer?.text ?? "no answer"}`;
    await sleep(300);
  }

  /** Until it is answered for good, or by what is `enough` for whoever asks. */
  async function insist(
    send: (client: EdgeClient) => Promise<EdgeAnswer>,
    enough: (answer: EdgeAnswer) => boolean = () => false,
  ): Promise<EdgeAnswer> {
    const wait = { sinceMs: performance.now(), lastAnswer: "nothing" };
    waiting.add(wait);
    try {
      for (;;) {
        if (client.token() === undefined) await (signingIn ??= signIn().finally(() => (signingIn = undefined)));
        const answer = client.token() === undefined ? undefined : await send(client).catch(() => undefined);
        if (answer !== undefined && (isForGood(answer) || enough(answer))) return answer;
        if (answer !== undefined) wait.lastAnswer = answer.text;
        if (answer?.status === 401) client.useToken(undefined);
        else failed();
        if (performance.now() > wait.sinceMs + patienceMs)
          throw new Error(`no answer for good, heard ${wait.lastAnswer}`);
        await sleep(100 + randomInt(400));
      }
    } finally {
      waiting.delete(wait);
    }
  }

  /** Which requests are still asked, for how long, and what was heard last. */
  function underWay(): string[] {
    const now = performance.now();
    return [...waiting].map(
      ({ sinceMs, lastAnswer }) => `${user.email} asks for ${Math.round(now - sinceMs)} ms: ${lastAnswer}`,
    );
  }

  /** `data` of what must be answered 200. */
  async function read(path: string): Promise<any> {
    const { status, text, body } = await insist((edge) => edge.send("GET", `${paymentsPath}${path}`));
    if (status !== 200) throw new Error(`${path} is answered ${status}: ${text}`);
    return body.data;
  }

  /** The user's wallet in the currency. */
  async function wallet(currency: string): Promise<OwnWallet> {
    known ??= (await read("/wallet-accounts")) as OwnWallet[];
    const found = known.find((one) => one.currency === currency);
    if (found === undefined) throw new Error(`${user.email} has no wallet in ${currency}`);
    return found;
  }

  return { user, client, insist, read, wallet, underWay };
}

/**
 * What says when to ask again passes by itself, such as that a payment is under way: its own,
 * perhaps.
 */
function isForGood({ status, headers }: EdgeAnswer): boolean {
  return status < 500 && status !== 401 && status !== 429 && headers["retry-after"] === undefined;
}

/** One of them, as often as its weight says. */
export function oneOf<T>(weighted: readonly (readonly [T, number])[]): T {
  let at = randomInt(weighted.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [one, weight] of weighted) {
    at -= weight;
    if (at < 0) return one;
  }
  throw new Error("weights sum up");
}

/** What is said to the sandbox partner itself, until it has heard. Undefined where it refuses. */
export async function tellPartner(address: string, path: string, body: object): Promise<object | undefined> {
  for (;;) {
    const init = { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(5_000) };
    const answer = await fetch(`http://${address}/control${path}`, init).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return answer.ok ? ((await answer.json()) as object) : undefined;
    await sleep(200);
  }
}
