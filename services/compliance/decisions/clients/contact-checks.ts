import { randomUUID } from "node:crypto";
import type { Check } from "../../../platform/certification/order-checks.js";
import {
  expectRepeated,
  expectStatus,
  expectThat,
  newReference,
  type Answer,
  type TestPartner,
} from "../../../platform/certification/test-partner.js";
import { contactsPath } from "./contact-verification.js";

/** Nobody's: the domain is reserved (RFC 2606). */
const unknownContact = () => ({
  reference: newReference(),
  type: "EMAIL",
  value: `unverified-${randomUUID()}@manilla.invalid`,
});

/** What who verifies contacts must do, by name. Only a contact that is nobody's is asked about. */
export const contactChecks: readonly Check[] = [
  {
    name: "the address answers",
    async run(partner) {
      statusOf(await ask(partner, unknownContact()));
    },
  },
  {
    name: "another key is refused",
    async run(partner) {
      const answer = await partner.ask("POST", contactsPath, { body: unknownContact(), apiKey: `not-${randomUUID()}` });
      expectStatus(answer, [401], "a request with another key");
    },
  },
  {
    name: "the same reference twice is answered the same",
    async run(partner) {
      const contact = unknownContact();
      const [first, second] = [statusOf(await ask(partner, contact)), statusOf(await ask(partner, contact))];
      expectThat(first === second, `it was ${first} and then ${second}`);
    },
  },
  {
    name: "a contact that is nobody's is UNVERIFIED",
    async run(partner) {
      const status = statusOf(await ask(partner, unknownContact()));
      expectThat(status === "UNVERIFIED", `it is ${status} and not UNVERIFIED`);
    },
  },
];

async function ask(partner: TestPartner, contact: { reference: string }): Promise<Answer> {
  const answer = expectStatus(await partner.ask("POST", contactsPath, { body: contact }), [200], "a verification");
  return expectRepeated(answer, "reference", contact.reference);
}

function statusOf({ body }: Answer): string {
  const { status } = (body ?? {}) as { status?: unknown };
  const isKnown = status === "VERIFIED" || status === "UNVERIFIED";
  expectThat(isKnown, "the status is neither VERIFIED nor UNVERIFIED");
  return status as string;
}
