import type { SealedParties } from "../../decisions/domain/recorded-decision.js";
import type { NamedParty } from "../domain/screening-targets.js";
import type { ScreeningCipher } from "./screening-cipher.js";

/** Seals who is paid by a transaction, bound to its decision, which holds them while it waits. */
export function decisionParties(cipher: Pick<ScreeningCipher, "seal" | "open">) {
  const recordOf = (tenantId: string, transactionId: string) => `${tenantId} decision ${transactionId}`;
  return {
    seal: (tenantId: string, transactionId: string, named: readonly NamedParty[]): Promise<SealedParties> =>
      cipher.seal(named, recordOf(tenantId, transactionId)),
    /** Nobody where none were kept, or they were erased. */
    open: async (
      tenantId: string,
      { transactionId, parties }: { transactionId: string; parties?: SealedParties },
    ): Promise<NamedParty[]> =>
      parties === undefined ? [] : cipher.open<NamedParty[]>(parties, recordOf(tenantId, transactionId)),
  };
}
