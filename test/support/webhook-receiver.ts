import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: Buffer;
  at: number;
  event: { id: string; type: string; sequence: number; subject: { type: string; id: string }; data: unknown };
  /** What it was answered. */
  status: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  afterMs?: number;
  /** It is not answered before that. */
  behind?: Promise<unknown>;
}

/** Somebody's system that receives events, as `answer` says. */
export async function startReceiver(answer: (path: string, count: number) => Answer = () => ({ status: 204 })) {
  const received: Received[] = [];
  const behaviour = { answer };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      void (async () => {
        const body = Buffer.concat(chunks);
        const path = request.url ?? "";
        const { status, headers = {}, body: text = "", afterMs = 0, behind } = behaviour.answer(path, received.length);
        const event = JSON.parse(body.toString()) as Received["event"];
        received.push({ path, headers: request.headers, body, at: performance.now(), event, status });
        await behind;
        if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
        response.writeHead(status, headers).end(text);
      })();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = "/events") => `http://127.0.0.1:${port}${path}`,
    received,
    /** What it answers from now on. */
    behaviour,
    /** Of one path, what it took: each event once, in the order of its arrival. */
    taken(path = "/events"): Received["event"][] {
      const good = received.filter((one) => one.path === path && one.status >= 200 && one.status < 300);
      const first = new Map<string, Received["event"]>();
      for (const { event } of good) if (!first.has(event.id)) first.set(event.id, event);
      return [...first.values()];
    },
    /** Drops what came to a path: a long test has millions. */
    forget(path: string): void {
      const others = received.filter((one) => one.path !== path);
      received.length = 0;
      for (const one of others) received.push(one);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
