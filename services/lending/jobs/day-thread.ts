import { Worker } from "node:worker_threads";
import type { Logger } from "../../kernel/process/log.js";

/** What the thread has to know; it opens connections of its own. */
export interface DayThreadData {
  readonly mongoUri: string;
  readonly database: string;
  readonly redisUrl: string;
  /** Batches of all replicas at a time. */
  readonly atOnce: number;
  readonly logLevel: string;
  readonly leaseMs?: number;
}

export type DayThreadRequest = { readonly tenantId: string; readonly date: string } | "stop";

export type DayThreadMessage =
  /** There is something to carry out. */
  "work" | { readonly isDone: boolean } | { readonly failed: string };

export interface DayThread {
  /** One day at a time. True when the whole day is done. Rejects where it cannot go on. */
  runDay(tenantId: string, date: string): Promise<boolean>;
  /** Ends it after the batch that is under way. */
  stop(): Promise<void>;
}

/**
 * The daily work in a thread of its own, which gives way to everything else on the machine
 * (day-work.ts): whoever is served meanwhile waits neither for the event loop nor for a processor.
 * Its heap may be as large as the service's own, by the same option of Node. `onWork` is called
 * when a batch has left something for the outbox.
 */
export function startDayThread(data: DayThreadData, { log, onWork }: { log: Logger; onWork: () => void }): DayThread {
  const worker = new Worker(new URL("./day-work.js", import.meta.url), { workerData: data });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let waiting: PromiseWithResolvers<boolean> | undefined;
  let isOver = false;
  const fail = (error: Error): void => waiting?.reject(error);
  worker.on("error", (error: Error) => {
    log.error({ err: error }, "the thread of the daily work has failed");
    fail(error);
  });
  worker.on("exit", () => {
    isOver = true;
    fail(hasEnded());
  });
  worker.on("message", (message: DayThreadMessage) => {
    if (message === "work") onWork();
    else if ("failed" in message) fail(new Error(message.failed));
    else waiting?.resolve(message.isDone);
  });
  const ask = (requested: DayThreadRequest): void => worker.postMessage(requested);
  return {
    async runDay(tenantId, date) {
      if (isOver) throw hasEnded();
      waiting = Promise.withResolvers();
      ask({ tenantId, date });
      return waiting.promise;
    },
    async stop() {
      ask("stop");
      await ended;
    },
  };
}

function hasEnded(): Error {
  return new Error("the thread of the daily work has ended");
}
