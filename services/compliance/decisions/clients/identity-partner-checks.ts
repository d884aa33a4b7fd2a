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
import { identityStatuses, type IdentityStatus } from "../domain/identity-check.js";
import { identityCheckPath, identityChecksPath } from "./identity-checks.js";

/** Nobody, with a document that nobody has. */
const madeUp = (forced?: IdentityStatus) => ({
  reference: newReference(),
  person: {
    firstName: "Test",
    lastName: "Nobody",
    dateOfBirth: "1990-01-31",
    nationality: "NGA",
    country: "NGA",
  },
  document: { type: "PASSPORT", number: `T-${randomUUID().slice(0, 8)}`, issuingCountry: "NGA" },
  ...(forced !== undefined && { forced: { behaviour: forced } }),
});

/** What who checks identities must do, by name. Only people who are made up are asked about. */
export const identityPartnerChecks: readonly Check[] = [
  {
    name: "the address answers",
    async run(partner) {
      statusOf(await ask(partner, madeUp()));
    },
  },
  {
    name: "another key is refused",
    async run(partner) {
      const apiKey = `not-${randomUUID()}`;
      const answer = await partner.ask("POST", identityChecksPath, { body: madeUp(), apiKey });
      expectStatus(answer, [401], "a request with another key");
    },
  },
  {
    name: "the same reference twice is answered the same",
    async run(partner) {
      const person = madeUp("REFER");
      const [first, second] = [statusOf(await ask(partner, person)), statusOf(await ask(partner, person))];
      const found = expectStatus(await partner.ask("GET", identityCheckPath(person.reference)), [200], "a look at it");
      const all = [first, second, statusOf(found)];
      expectThat(new Set(all).size === 1, `it was ${all.join(", then ")}`);
    },
  },
  {
    name: "an unknown reference is 404",
    async run(partner) {
      const answer = await partner.ask("GET", identityCheckPath(newReference()));
      expectStatus(answer, [404], "a look at a reference that nobody asked about");
    },
  },
  forcedCheck("VERIFIED"),
  forcedCheck("NOT_VERIFIED"),
];

function forcedCheck(status: IdentityStatus): Check {
  return {
    name: `one that is to be ${status} is`,
    async run(partner) {
      const answered = statusOf(await ask(partner, madeUp(status)));
      expectThat(answered === status, `it is ${answered} and not ${status}`);
    },
  };
}

async function ask(partner: TestPartner, body: { reference: string }): Promise<Answer> {
  const answer = expectStatus(await partner.ask("POST", identityChecksPath, { body }), [200], "a check");
  return expectRepeated(answer, "reference", body.reference);
}

function statusOf({ body }: Answer): string {
  const { status } = (body ?? {}) as { status?: unknown };
  const known = identityStatuses.find((one) => one === status);
  expectThat(known !== undefined, `the status is none of ${identityStatuses.join(", ")}`);
  return known as string;
}
