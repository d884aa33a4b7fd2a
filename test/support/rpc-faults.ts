import { Refusal, type RefusalCode } from "../../services/shared/refusal.js";

/** Makes one call of an rpc fail, before or after it took effect: its caller cannot tell which. */
export function createFaults() {
  const armed = new Map<string, { when: "before" | "after"; code: RefusalCode; left: number }>();
  const called: string[] = [];
  return {
    /** Rpcs that were called, in order. */
    called,
    next(rpc: string, when: "before" | "after", code: RefusalCode = "UNAVAILABLE", times = 1): void {
      armed.set(rpc, { when, code, left: times });
    },
    clear: () => armed.clear(),
    async around<T>(rpc: string, work: () => T | Promise<T>): Promise<T> {
      called.push(rpc);
      const fault = armed.get(rpc);
      const isHit = fault !== undefined && fault.left-- > 0;
      if (isHit && fault.when === "before") throw new Refusal(fault.code, `${rpc} fails before`);
      const result = await work();
      if (isHit) throw new Refusal(fault.code, `${rpc} fails after`);
      return result;
    },
  };
}
