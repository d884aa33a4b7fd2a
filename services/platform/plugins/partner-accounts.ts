import type { OutgoingContext } from "../../kernel/grpc/client.js";
import type { Installations } from "./installations.js";

const operator = "operator";

/** Whose an account is: a tenant's own installation, or the operator's default where undefined. */
export const partnerIdOf = (installationId: string | undefined): string => installationId ?? operator;

/** Id of the account of one partner in one currency: what two of them owe is never one sum. */
export function partnerAccountId(code: string, installationId: string | undefined, currency: string): string {
  return `${code}:${partnerIdOf(installationId)}:${currency}`;
}

/** What people call a partner, by whose an account is, in the names of its accounts. */
export type PartnerNames = (partner: string, call: OutgoingContext) => Promise<string>;

/** One that is not there any more has its id. Throws UNAVAILABLE while identity is away. */
export function createPartnerNames(installations: Pick<Installations, "of">): PartnerNames {
  return async (partner, call) => {
    if (partner === operator) return "the operator's partner";
    const all = await installations.of(call);
    return all.find(({ installationId }) => installationId === partner)?.name || partner;
  };
}
