import { once } from "node:events";
import { flushCompileCache } from "node:module";

/** Whoever has loaded its code waits here until it is told to begin, where it was forked to stand by. */
export async function standBy(): Promise<void> {
  // Its test is gone.
  process.on("disconnect", () => process.exit(0));
  if (process.env["STANDS_BY"] !== undefined) await once(process, "message");
}

/** Tells the port. What was compiled is written down now: whoever is killed does not. */
export function tellPort(port: number): void {
  process.send?.({ port });
  flushCompileCache();
}
