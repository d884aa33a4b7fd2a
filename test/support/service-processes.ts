import { once } from "node:events";
import { forkSource } from "./forked-source.js";
import type { ServiceProcess } from "./service-process.js";

/** Starts a service in a process of its own, as its main.ts does; resolves when it listens. */
export async function startServiceProcess(given: ServiceProcess) {
  const child = forkSource("service-process.ts", { SERVICE_PROCESS: JSON.stringify(given) });
  const exited = once(child, "exit") as Promise<[code: number | null, signal: string | null]>;
  const [message] = (await Promise.race([once(child, "message"), exited])) as unknown[];
  if (message !== "listening") throw new Error(`the process ended with ${child.exitCode} before it listened`);
  return {
    /**
     * Tells it to stop, as Kubernetes does; resolves with the status that it ended with by itself.
     */
    async terminate(): Promise<number | null> {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
    /** When it is over; for afterEach, also where a test has failed. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
