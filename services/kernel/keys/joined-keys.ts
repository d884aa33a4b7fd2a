import { Refusal } from "../refusal.js";
import { processMetrics, type Metrics } from "../telemetry/metrics.js";
import { contextText, MasterKeyError, type KeyContext, type KeyWrapper, type WrappedSecret } from "./key-wrapper.js";

/**
 * One source that wraps, and others that open what they wrapped before. Every call is counted and
 * timed by what came of it.
 */
export function joinKeys(
  first: KeyWrapper,
  others: readonly KeyWrapper[],
  metrics: Pick<Metrics, "masterKey"> = processMetrics,
): KeyWrapper {
  const all = [first, ...others];

  async function counted<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const done = (result: string): void =>
      metrics.masterKey(operation, result, (performance.now() - startedAt) / 1_000);
    try {
      const result = await work();
      done("ok");
      return result;
    } catch (error) {
      done(error instanceof Refusal ? "away" : "refused");
      throw error;
    }
  }

  function ownerOf({ masterKeyId }: WrappedSecret, context: KeyContext): KeyWrapper {
    const owner = all.find((wrapper) => wrapper.owns(masterKeyId));
    if (owner !== undefined) return owner;
    const what = contextText(context);
    throw new MasterKeyError(`${what} was stored under the master key ${masterKeyId}, which is not set up here`);
  }

  return {
    owns: (masterKeyId) => all.some((wrapper) => wrapper.owns(masterKeyId)),
    newest: () => counted("newest", () => first.newest()),
    wrap: (secret, context) => counted("wrap", () => first.wrap(secret, context)),
    unwrap: (wrapped, context) => counted("unwrap", async () => ownerOf(wrapped, context).unwrap(wrapped, context)),
    rewrap: (wrapped, context) =>
      counted("rewrap", async () => {
        const owner = ownerOf(wrapped, context);
        if (owner === first) return first.rewrap(wrapped, context);
        return first.wrap(await owner.unwrap(wrapped, context), context);
      }),
  };
}
