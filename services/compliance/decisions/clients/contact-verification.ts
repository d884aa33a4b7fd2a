import { boundedJson } from "../../../kernel/formats/bounded-json.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { ContactType } from "../domain/verification.js";
import type { PartnersOfKinds } from "../../common/clients/installed-partners.js";
import { postJson, type Account, type Endpoints } from "../../common/clients/partner-http.js";

export interface ContactAnswer {
  verified: boolean;
  /** As the provider wrote it, up to 4,000 characters. */
  raw: string;
}

/** Knows whether a contact is somebody's. */
export interface ContactVerification {
  /**
   * Refuses UNAVAILABLE where the provider gives no answer: the contact is then neither verified
   * nor refused.
   */
  verify(account: Account, contact: { reference: string; type: ContactType; value: string }): Promise<ContactAnswer>;
}

export const contactsPath = "/v1/contact-verifications";
const maxRawLength = 4_000;

/**
 * The HTTP connector: `POST /v1/contact-verifications`, which answers
 * `{ reference, status: "VERIFIED" | "UNVERIFIED", … }`.
 */
export function createHttpContactVerification(endpoints: Endpoints): ContactVerification {
  return {
    async verify(account, contact) {
      const { status, text } = await postJson(endpoints, account, contactsPath, contact);
      if (status >= 500 || status === 408 || status === 429) {
        throw new Refusal("UNAVAILABLE", `the contact verification provider answered ${status}`);
      }
      return answerOf(status, text, contact.reference);
    },
  };
}

/** By the partner that a tenant has installed, by the same contract, else by the operator's. */
export function preferInstalledContacts(
  installed: Pick<PartnersOfKinds, "of">,
  otherwise: ContactVerification,
): ContactVerification {
  return {
    async verify(account, contact) {
      const { tenantId } = account;
      const { reference } = contact;
      const own = await installed.of("CONTACT_VERIFICATION", { tenantId, interactionId: reference });
      if (own === undefined) return otherwise.verify(account, contact);
      const subject = { operation: "verify", reference };
      const { status, text } = await own.send("POST", contactsPath, { tenantId }, contact, subject);
      return answerOf(status, text, reference);
    },
  };
}

/** Refuses UNAVAILABLE for what is said of another contact. */
function answerOf(status: number, text: string, requested: string): ContactAnswer {
  const { status: answered, reference } = status === 200 ? bodyOf(text) : {};
  if (answered !== undefined && reference !== requested) {
    throw new Refusal("UNAVAILABLE", "the contact verification provider answered about something else");
  }
  return { verified: answered === "VERIFIED", raw: text.slice(0, maxRawLength) };
}

function bodyOf(text: string): { status?: unknown; reference?: unknown } {
  try {
    return (boundedJson(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
