import type { Call } from "../../services/kernel/grpc/context.js";
import { Refusal, type RefusalCode } from "../../services/kernel/refusal.js";

type Requested = Pick<Call, "tenantId">;

/** Makes one call of an rpc fail, before or after it took effect: its caller cannot tell which. */
export function createFaults() {
  const armed = new Map<string, { when: "before" | "after"; code: RefusalCode; left: number }>();
  const called: { tenantId: string; rpc: string }[] = [];
  const meanwhile = new Map<string, () => Promise<unknown>>();
  return {
    /** What happens once while an rpc is asked, before it answers. */
    during: (rpc: string, work: () => Promise<unknown>): void => void meanwhile.set(rpc, work),
    /** Notes a call that no fault is made for. */
    note: (rpc: string, { tenantId }: Requested): void => void called.push({ tenantId, rpc }),
    /** Rpcs that were called for a tenant, in order. */
    calledIn: (of: string): string[] => called.filter(({ tenantId }) => tenantId === of).map(({ rpc }) => rpc),
    next(rpc: string, when: "before" | "after", code: RefusalCode = "UNAVAILABLE", times = 1): void {
      armed.set(rpc, { when, code, left: times });
    },
    clear(): void {
      armed.clear();
      meanwhile.clear();
    },
    async around<T>(rpc: string, { tenantId }: Requested, work: () => T | Promise<T>): Promise<T> {
      called.push({ tenantId, rpc });
      const beside = meanwhile.get(rpc);
      meanwhile.delete(rpc);
      await beside?.();
      const fault = armed.get(rpc);
      const isHit = fault !== undefined && fault.left-- > 0;
      if (isHit && fault.when === "before") throw new Refusal(fault.code, `${rpc} fails before`);
      const result = await work();
      if (isHit) throw new Refusal(fault.code, `${rpc} fails after`);
      return result;
    },
  };
}
