import { Agent, request as httpRequest } from "node:http";
import type { OutsideAnswer, OutsideRequest } from "../../k8s/outside.js";
import type { Session } from "../../k8s/world.js";

export interface Report {
  sent: number;
  /** How often each answer but 200 was given. */
  others: Map<string, number>;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
}

let counter = Date.now() * 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function send(base: string, { method, path, headers, body }: OutsideRequest): Promise<OutsideAnswer> {
  const unique = String(counter++);
  const fill = (text: string) => text.replaceAll("{{n}}", unique);
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
  return new Promise((resolve, reject) => {
    const call = httpRequest(`${base}${fill(path)}`, { agent, method, headers: filled, timeout: 30_000 }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    call.on("timeout", () => call.destroy(new Error("no answer within 30 s")));
    call.on("error", reject);
    call.end(body === undefined ? undefined : fill(body));
  });
}

/**
 * 100 requests, 23 of them transactions and 23 payments that ask for the password; the rest reads.
 */
export function requestsOf(sender: Session, receiver: Session): OutsideRequest[] {
  const times = (count: number, request: () => OutsideRequest) => Array.from({ length: count }, request);
  const mix = [
    ...times(18, () => sender.requests.wallets()),
    ...times(12, () => receiver.requests.beneficiaries()),
    ...times(8, () => sender.requests.policy()),
    ...times(8, () => receiver.requests.preference()),
    ...times(4, () => sender.requests.loans()),
    ...times(4, () => sender.requests.investments()),
    ...times(23, () => sender.requests.create("1.00", "restart-{{n}}")),
    ...times(23, () =>
      sender.requests.pay({
        type: "WALLET_CUSTOMER",
        to: receiver.wallet("KES"),
        currency: "KES",
        total: "0.01",
        reference: "restart-{{n}}",
      }),
    ),
  ];
  // Spread, so that every stretch of it is a fair sample.
  return mix.map((_, index) => mix[(index * 37) % mix.length] as OutsideRequest);
}

/** Transactions of two customers, in turns. */
export function createsOf(...senders: readonly Session[]): OutsideRequest[] {
  return senders.map(({ requests }) => requests.create("1.00", "busy-{{n}}"));
}

/**
 * Sends on a fixed beat, however long answers take; nothing is sent twice. The function stops it.
 */
export function startLoad(base: () => string, requests: OutsideRequest[], perSecond: number): () => Promise<Report> {
  const startedAt = performance.now();
  const times: number[] = [];
  const others = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let sent = 0;

  async function one(request: OutsideRequest): Promise<void> {
    const begunAt = performance.now();
    const what = await send(base(), request).then(
      ({ status, text }) => (status === 200 ? undefined : `${status} ${codeOf(text)}`),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    times.push(performance.now() - begunAt);
    if (what === undefined) return;
    const name = `${request.path.split("/").at(-1)} ${what}`;
    others.set(name, (others.get(name) ?? 0) + 1);
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; sent < due; sent++) {
      const work = one(requests[sent % requests.length] as OutsideRequest);
      running.add(work);
      void work.finally(() => running.delete(work));
    }
  }, 5);

  return async () => {
    clearInterval(timer);
    await Promise.all(running);
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
    return { sent, others, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
  };
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: string }).code);
  } catch {
    return text.slice(0, 80);
  }
}
