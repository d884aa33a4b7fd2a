import { createLogger } from "./log.js";

interface Running {
  stop(): Promise<void>;
}

/**
 * Runs a process until SIGTERM or SIGINT, which drain it. One that cannot start says why in one
 * line of its log and ends with status 1.
 */
export async function runProcess(service: string, start: () => Promise<Running>): Promise<void> {
  // What `start` throws before it gives a promise, as of a faulty setting, is told in the same way.
  const running = await Promise.try(start).catch((error: unknown) => endFailed(service, error));
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void running.stop().then(() => process.exit(0));
    });
  }
}

/** Says in one line of the log why a process does not start, and ends it. */
export function endFailed(service: string, error: unknown): never {
  const log = createLogger({ service, level: "fatal" });
  log.fatal({ err: isExpected(error) ? logFieldsOf(error) : error }, `${service} cannot start`);
  process.exit(1);
}

/**
 * A server that is away, a port that is taken, a setting that is wrong: what it says is enough,
 * where it was thrown is not news.
 */
function isExpected(error: unknown): error is Error & { code?: unknown } {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    error.name.endsWith("ServerSelectionError") ||
    error.name.startsWith("MongoNetwork") ||
    error.name === "Refusal" ||
    (typeof code === "string" && /^E[A-Z]+$/.test(code)) ||
    error.message.startsWith("The environment is not usable")
  );
}

function logFieldsOf({ name, message, code }: Error & { code?: unknown }): object {
  return { type: name, message: message.replaceAll(/\s+/g, " "), ...(code !== undefined && { code }) };
}
