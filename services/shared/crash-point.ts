// How often each name was passed in this process: "name:2" kills at the second pass.
const passes = new Map<string, number>();

/**
 * Kills this process with SIGKILL, before anything after it runs, when CRASH_POINT names this point:
 * `CRASH_POINT=wallet.payment.claimed`, or `wallet.payment.claimed:2` for the second pass.
 * Placed between any two writes of a saga; never armed in production.
 */
export function crashPoint(name: string): void {
  const armed = process.env["CRASH_POINT"];
  if (armed === undefined || process.env["NODE_ENV"] === "production") return;
  if (armed !== name && !armed.startsWith(`${name}:`)) return;
  const pass = (passes.get(name) ?? 0) + 1;
  passes.set(name, pass);
  const wanted = armed === name ? 1 : Number(armed.slice(name.length + 1));
  if (pass === wanted) process.kill(process.pid, "SIGKILL");
}
