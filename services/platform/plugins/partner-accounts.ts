import type { OutgoingContext } from "../../kernel/grpc/client.js";
import type { Installations } from "./installations.js";

/** Whose an account is: a tenant's own installation, or the operator's default where undefined. */
export const partnerIdOf = (installationId: string | undefined): string => installationId ?? "operator";

/** Id of the account of one partner in one currency: what two of them owe is never one sum. */
export function partnerAccountId(code: string, installationId: string | undefined, currency: string): string {
  return `${code}:${partnerIdOf(installationId)}:${currency}`;
}

/** What people call a partner, in the names of its accounts. */
export type PartnerNames = (installationId: string | undefined, call: OutgoingContext) => Promise<string>;

/** One that is not there any more has its id. Throws UNAVAILABLE while identity is away. */
export function createPartnerNames(installations: Pick<Installations, "of">): PartnerNames {
  return async (installationId, call) => {
    if (installationId === undefined) return "the operator's partner";
    const all = await installations.of(call);
    return all.find((one) => one.installationId === installationId)?.name || installationId;
  };
}
