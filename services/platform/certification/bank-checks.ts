import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { uniqueIdOf, type OrderBeneficiary, type Originator } from "../plugins/party-contract.js";
import { recordedShape } from "../plugins/payout-contract.js";
import { orderChecksOf, type MoneyCheck } from "./money-checks.js";
import type { MoneyPartner } from "./money-partner.js";
import {
  CheckFailed,
  expectRepeated,
  expectStatus,
  expectThat,
  faultOf,
  LeftOut,
  newReference,
} from "./test-partner.js";

const maxPages = 200;
// Nobody reads it: credits of a check are in no book of ours.
const collection = "certification";
const requested = { reference: "certification", country: "NGA", bankCode: "058", accountNumber: "3001234567" };
const named = { ...requested, currency: "NGN", accountHolderName: "Ngozi Okafor" };
const checkSchema = z.object({
  reference: z.string(),
  verified: z.boolean(),
  bankName: z.string(),
  accountHolderName: z.string(),
});
const creditSchema = z.object({
  creditId: z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/),
  reference: z.string(),
  amount: z.string().regex(/^\d{1,19}(\.\d{1,4})?$/),
  currency: z.string(),
  senderName: z.string(),
  receivedAt: z.iso.datetime(),
});
const pageSchema = z.object({ collection: z.string(), credits: z.array(creditSchema), nextCursor: z.string() });

/** What a bank must do, by name. */
export const bankChecks: readonly MoneyCheck[] = [
  ...orderChecksOf({ open: "ACCEPTED", done: "PAID" }),
  {
    name: "a later refusal is told to whoever asks",
    async run(partner) {
      const reference = newReference();
      const forced = { behaviour: "REFUSE_LATER", settleMs: 50, reason: "no such account" };
      const { status } = await partner.ordered(reference, { forced });
      expectThat(status === "ACCEPTED" || status === "REFUSED", `it is ${status}`);
      const { reason } = await partner.until(reference, "REFUSED");
      expectThat(reason === "no such account", `its reason is ${reason} and not "no such account"`);
    },
  },
  {
    name: "what comes back is RETURNED to whoever asks",
    async run(partner) {
      const reference = newReference();
      await partner.ordered(reference, { forced: { behaviour: "RETURN", settleMs: 0, delayMs: 50 } });
      await partner.until(reference, "RETURNED");
    },
  },
  {
    name: "who pays and who is paid come back as they were sent, and are a part of the order",
    async run(partner) {
      const reference = newReference();
      const more = partiesOf(reference);
      await partner.ordered(reference, { more });
      const answer = await partner.ask("GET", `/v1/bank/transfers/${encodeURIComponent(reference)}`);
      const read = recordedShape.safeParse(expectStatus(answer, [200], "a look by reference").body);
      if (!read.success) throw new CheckFailed(`a look by reference: ${faultOf(read.error)}`);
      if (read.data.originator === undefined && read.data.beneficiary === undefined) {
        throw new LeftOut("this bank does not say whom it has recorded");
      }
      for (const party of ["originator", "beneficiary"] as const) {
        expectThat(isDeepStrictEqual(read.data[party], more[party]), `${party} is another one than was sent`);
      }
      const other = { ...more, originator: { ...more.originator, name: "Bola Obi" } };
      expectStatus(
        await partner.submit(reference, { more: other }),
        [409],
        "another originator under the same reference",
      );
    },
  },
  {
    name: "an account is checked",
    async run(partner) {
      const answer = await partner.ask("POST", "/v1/bank/account-checks", { body: named });
      const read = checkSchema.safeParse(expectStatus(answer, [200], "an account check").body);
      if (!read.success) throw new CheckFailed(`an account check: ${faultOf(read.error)}`);
      expectThat(read.data.reference === named.reference, `it names the reference ${read.data.reference}`);
    },
  },
  {
    name: "a bank verification number is looked up",
    async run(partner) {
      const body = { reference: newReference(), bvn: "00000000000", country: "NGA" };
      const answer = await partner.ask("POST", "/v1/bank/bvn-lookups", { body });
      if (answer?.status === 404 || answer?.status === 501) throw new LeftOut("this bank looks up no numbers");
      const about = expectRepeated(expectStatus(answer, [200], "a look-up"), "reference", body.reference);
      const { found } = about.body as { found?: unknown };
      expectThat(typeof found === "boolean", `found is ${String(found)} and not true or false`);
    },
  },
  {
    name: "credits come once each, in order, page by page",
    async run(partner) {
      const begun = (await allFrom(partner, "", 100)).cursor;
      const ids = [1, 2, 3, 4, 5].map(newReference);
      for (const creditId of ids) await arrive(partner, creditId);
      // The same id is the same credit.
      await arrive(partner, ids[0]!);
      const { credits, cursor } = await allFrom(partner, begun, 2);
      const ours = credits.filter((creditId) => ids.includes(creditId));
      expectThat(new Set(credits).size === credits.length, "a credit is there twice");
      expectThat(ours.join() === ids.join(), `${ours.length} of ${ids.length} came, or not in their order`);
      const after = await page(partner, cursor, 2);
      expectThat(after.credits.length === 0 && after.nextCursor === cursor, "after the last one there is no end");
      const again = await page(partner, begun, 2);
      expectThat(again.credits[0]?.creditId === credits[0], "the same cursor gives other credits the second time");
    },
  },
];

/** A customer's own money, to an account of theirs. */
function partiesOf(reference: string): { originator: Originator; beneficiary: OrderBeneficiary } {
  const address = { lines: ["7 Broad Street"], city: "Lagos", country: "NGA" };
  const person = { kind: "PERSON", name: "Ngozi Òkáfọ̀r", address } as const;
  const uniqueId = uniqueIdOf(reference).slice(-32);
  const birth = { dateOfBirth: "1990-04-12", placeOfBirth: { city: "Enugu", country: "NGA" } };
  return {
    originator: { ...person, ...birth, nationality: "NGA", uniqueId, customerCode: "C-10001" },
    beneficiary: { ...person, account: "3001234567", country: "NGA" },
  };
}

/** Makes a credit arrive at the test system. */
async function arrive(partner: MoneyPartner, creditId: string): Promise<void> {
  const body = { creditId, collection, reference: creditId, amount: "10.00", currency: "NGN", senderName: "A check" };
  const answer = await partner.ask("POST", "/v1/sandbox/credits", { body });
  if (answer?.status === 404 || answer?.status === 501) throw new LeftOut("no credit can be made to arrive there");
  expectStatus(answer, [200, 201], "a credit that is made to arrive");
}

async function page(partner: MoneyPartner, after: string, limit: number) {
  const query = new URLSearchParams({ collection, after, limit: String(limit) });
  const answer = await partner.ask("GET", `/v1/bank/credits?${query.toString()}`);
  const read = pageSchema.safeParse(expectStatus(answer, [200], "a page of credits").body);
  if (read.success) expectThat(read.data.collection === collection, `it is of the collection ${read.data.collection}`);
  if (!read.success) throw new CheckFailed(`a page of credits: ${faultOf(read.error)}`);
  expectThat(read.data.credits.length <= limit, `a page of ${limit} has ${read.data.credits.length}`);
  return read.data;
}

/** Ids of all credits after a cursor, in the bank's order, and the cursor of their end. */
async function allFrom(partner: MoneyPartner, after: string, limit: number) {
  const credits: string[] = [];
  let cursor = after;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { credits: some, nextCursor } = await page(partner, cursor, limit);
    credits.push(...some.map(({ creditId }) => creditId));
    if (some.length === 0 || nextCursor === cursor) return { credits, cursor: nextCursor };
    cursor = nextCursor;
  }
  throw new CheckFailed(`credits have no end within ${maxPages} pages`);
}
