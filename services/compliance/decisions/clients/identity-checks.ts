import { z } from "zod";
import type { Customer } from "../../../../proto/gen/identity/v1/identity.js";
import { Refusal } from "../../../kernel/refusal.js";
import { repeats } from "../../../platform/partners/sender.js";
import { identityStatuses, type IdentityStatus } from "../domain/identity-check.js";
import type { InstalledPartner } from "../../common/clients/installed-partners.js";

/** Who somebody says they are, as a partner is asked about it. */
export interface RequestedIdentityCheck {
  person: { firstName: string; lastName: string; dateOfBirth: string; nationality?: string; country?: string };
  document: { type: string; number: string; issuingCountry?: string };
}

export interface IdentityAnswer {
  status: IdentityStatus;
  /** In the partner's words, which may quote people; on one line. */
  reason: string;
}

export const identityChecksPath = "/v1/identity-checks";
export const identityCheckPath = (reference: string) => `${identityChecksPath}/${encodeURIComponent(reference)}`;

const maxReason = 300;
const answerSchema = z.object({ status: z.enum(identityStatuses), reason: z.string().default("") });

/**
 * Undefined where a part lacks that a partner needs. Of several
 * documents the one that lasts longest.
 */
export function identityOf({ firstName, lastName, country, details }: Customer): RequestedIdentityCheck | undefined {
  const { dateOfBirth = "", nationality = "", identityDocuments = [] } = details ?? {};
  const named = identityDocuments.filter(({ type, number }) => type !== "" && number !== "");
  const [document] = named.toSorted((a, b) => (lastsUntil(a) < lastsUntil(b) ? 1 : -1));
  if (firstName === "" || lastName === "" || dateOfBirth === "" || document === undefined) return undefined;
  const { type, number, country: issuingCountry } = document;
  return {
    person: {
      firstName,
      lastName,
      dateOfBirth,
      ...(nationality !== "" && { nationality }),
      ...(country !== "" && { country }),
    },
    document: { type, number, ...(issuingCountry !== "" && { issuingCountry }) },
  };
}

/**
 * What a partner says of somebody: of a reference that it has not decided it is asked
 * by the reference, and once more in full where it does not know it. Refuses
 * UNAVAILABLE where it says nothing.
 */
export async function checkIdentity(
  { send }: InstalledPartner,
  { reference, isPending, ...identity }: RequestedIdentityCheck & { reference: string; isPending: boolean },
  call: { tenantId: string; signal: AbortSignal },
): Promise<IdentityAnswer> {
  if (isPending) {
    const asking = { operation: "find", reference };
    const found = await send("GET", identityCheckPath(reference), call, undefined, asking, repeats({ reference }));
    if (found.status !== 404) return answerOf(found);
  }
  const subject = { operation: "check", reference };
  const body = { reference, ...identity };
  return answerOf(await send("POST", identityChecksPath, call, body, subject, repeats({ reference })));
}

function answerOf({ status, body }: { status: number; body: unknown }): IdentityAnswer {
  const read = answerSchema.safeParse(body);
  // A key that it does not know, or a fault in what was asked, says nothing of the person.
  if (status !== 200 || !read.success) throw new Refusal("UNAVAILABLE", `the identity check was answered ${status}`);
  const reason = read.data.reason.replaceAll(/\p{Cc}+/gu, " ").slice(0, maxReason);
  return { status: read.data.status, reason };
}

const lastsUntil = ({ expiresAt }: { expiresAt: string }) => (expiresAt === "" ? "9999" : expiresAt);
