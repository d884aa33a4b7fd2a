import { Refusal } from "../../shared/refusal.js";
import type { ContactType } from "../domain/verification.js";
import { postJson, type Account, type Endpoints } from "./partner-http.js";

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

const maxRawLength = 4_000;

/**
 * The HTTP connector: `POST /v1/contact-verifications`, which answers `{ status: "VERIFIED" |
 * "UNVERIFIED", … }`.
 */
export function createHttpContactVerification(endpoints: Endpoints): ContactVerification {
  return {
    async verify(account, contact) {
      const { status, text } = await postJson(endpoints, account, "/v1/contact-verifications", contact);
      if (status >= 500 || status === 408 || status === 429) {
        throw new Refusal("UNAVAILABLE", `the contact verification provider answered ${status}`);
      }
      return { verified: status === 200 && statusOf(text) === "VERIFIED", raw: text.slice(0, maxRawLength) };
    },
  };
}

function statusOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { status?: unknown } | null)?.status;
  } catch {
    return undefined;
  }
}
