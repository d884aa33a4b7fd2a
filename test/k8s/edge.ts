import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { join, dirname } from "node:path";
import { wordsOf } from "./command.js";
import type { LoadReport, Order, OutsideAnswer, OutsideRequest } from "./outside.js";

export type Outside = ReturnType<typeof startOutside>;

/** Starts the client outside the cluster. */
export function startOutside() {
  const script = join(dirname(fileURLToPath(import.meta.url)), "outside.js");
  const [command, ...args] = [...wordsOf("OUTSIDE", ""), process.execPath, script, "outside"];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, value, error } = JSON.parse(line) as { id: number; value?: never; error?: string };
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(value as never);
    else waiter?.reject(new Error(error));
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the client outside has ended"));
  });
  const order = <T>(content: Omit<Order, "id">): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve: resolve as never, reject });
      child.stdin.write(`${JSON.stringify({ id, ...content })}\n`);
    });
  return {
    send: (base: string, request: OutsideRequest) => order<OutsideAnswer>({ kind: "send", base, request }),
    startLoad: (base: string, load: NonNullable<Order["load"]>) => order<object>({ kind: "load", base, load }),
    stopLoad: () => order<LoadReport>({ kind: "stop" }),
    close: () => child.stdin.end(),
  };
}
