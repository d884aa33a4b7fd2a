import { Refusal } from "../refusal.js";

export type Faults = ReturnType<typeof createFaults>;

/** Gathers the faults of one request, so that a caller hears of all of them at once. */
export function createFaults() {
  const errors: { path: string; message: string }[] = [];
  return {
    add(path: string, message: string): void {
      errors.push({ path, message });
    },
    /** Runs a parser that refuses with INVALID_INPUT; a refusal is kept and undefined answered. */
    of<T>(parse: () => T): T | undefined {
      try {
        return parse();
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "INVALID_INPUT") throw error;
        errors.push(...(error.details?.errors ?? [{ path: "", message: error.message }]));
        return undefined;
      }
    },
    /** Throws INVALID_INPUT with every fault, if there is any. */
    refuseIfAny(): void {
      if (errors.length === 0) return;
      const message = errors.map((fault) => `${fault.path}: ${fault.message}`).join("; ");
      throw new Refusal("INVALID_INPUT", message, { errors });
    },
  };
}
