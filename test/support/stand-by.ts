import { once } from "node:events";
import { flushCompileCache } from "node:module";

interface Service {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Whoever has loaded its code waits here until it is told to begin, where it was forked
 * to stand by; then it starts, tells its port and stops when it is asked to. No `await`
 * of a module: its bundle is none.
 */
export function standBy(start: () => Promise<Service>): void {
  // Its test is gone.
  process.on("disconnect", () => process.exit(0));
  void begin(start);
}

async function begin(start: () => Promise<Service>): Promise<void> {
  if (process.env["STANDS_BY"] !== undefined) await once(process, "message");
  const service = await start();
  process.send?.({ port: service.port });
  // What was compiled is written down while it works: whoever is killed does not.
  setTimeout(flushCompileCache, 5_000).unref();
  process.on("SIGTERM", () => void service.stop().finally(() => process.exit(0)));
}
