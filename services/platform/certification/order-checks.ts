import { expectStatus, expectThat, LeftOut, newReference, payoutOf, plain } from "./test-partner.js";
import type { TestPartner } from "./test-partner.js";

export interface Check {
  name: string;
  run: (partner: TestPartner) => Promise<void>;
}

const shortMs = 1_000;
const longestReference = 128;
const never = { behaviour: "STALL" };

/** One order, whatever becomes of its answer, is one payout. */
export const orderChecks: readonly Check[] = [
  {
    name: "an order is accepted and known by our reference",
    async run(partner) {
      const reference = newReference();
      const { status, amount, currency } = await partner.accepted(partner.order(reference));
      expectThat(status === "ACCEPTED", `it is ${status} and not ACCEPTED`);
      expectThat(plain(amount) === "10" && currency === "NGN", `it is of ${amount} ${currency} and not of 10.00 NGN`);
      expectThat((await partner.find(reference)) !== undefined, "a moment later nobody knows it");
    },
  },
  {
    name: "amounts are decimal text",
    async run(partner) {
      const reference = newReference();
      await partner.accepted(partner.order(reference, { amount: "9007199254740993.01" }));
      const found = await partner.find(reference);
      expectThat(found?.amount === "9007199254740993.01", `9007199254740993.01 came back as ${found?.amount}`);
    },
  },
  {
    name: "the same reference twice is one payout",
    async run(partner) {
      const order = partner.order(newReference(), { forced: never });
      const [first, second] = [await partner.accepted(order), await partner.accepted(order)];
      expectThat(first.payoutId === second.payoutId, "the second time it is another payout");
    },
  },
  {
    name: "the same reference twice at once is one payout",
    async run(partner) {
      const order = partner.order(newReference(), { forced: never });
      const both = await Promise.all([1, 2, 3].map(() => partner.accepted(order)));
      expectThat(new Set(both.map(({ payoutId }) => payoutId)).size === 1, "it became more than one payout");
    },
  },
  {
    name: "the same reference with another amount is 409",
    async run(partner) {
      const reference = newReference();
      await partner.accepted(partner.order(reference));
      const other = await partner.submit(partner.order(reference, { amount: "11.00" }));
      expectStatus(other, [409], "another amount under the same reference");
    },
  },
  {
    name: "the same reference with another recipient is 409",
    async run(partner) {
      const reference = newReference();
      await partner.accepted(partner.order(reference));
      const other = await partner.submit(partner.order(reference, { account: "3007654321" }));
      expectStatus(other, [409], "another recipient under the same reference");
    },
  },
  {
    name: "a long reference is kept whole",
    async run(partner) {
      const reference = newReference().padEnd(longestReference, "x");
      await partner.accepted(partner.order(reference));
      expectThat((await partner.find(reference)) !== undefined, `nobody knows one of ${longestReference} characters`);
      const shorter = await partner.find(reference.slice(0, -1));
      expectThat(shorter === undefined, "another one, shorter by a character, is taken for it");
    },
  },
  {
    name: "an unknown field is ignored",
    async run(partner) {
      await partner.accepted({ ...partner.order(newReference()), aFieldOfALaterVersion: { with: ["anything"] } });
    },
  },
  {
    name: "an unknown reference is 404",
    async run(partner) {
      expectThat((await partner.find(newReference())) === undefined, "it is known");
    },
  },
  {
    name: "a wrong key is 401",
    async run(partner) {
      const apiKey = "a-key-that-nobody-was-given";
      const reference = newReference();
      const requested = await partner.ask("POST", "/v1/payouts", { body: partner.order(reference), apiKey });
      expectStatus(requested, [401], "an order with a wrong key");
      expectThat((await partner.find(reference)) === undefined, "it is recorded all the same");
    },
  },
  {
    name: "a batch twice is one payout each",
    async run(partner) {
      const references = [newReference(), newReference()];
      const payouts = references.map((reference) => partner.order(reference, { forced: never }));
      const batch = { batchReference: newReference(), payouts };
      const ids: unknown[] = [];
      for (const _time of [1, 2]) {
        expectStatus(await partner.ask("POST", "/v1/payout-batches", { body: batch }), [200], "a batch");
        for (const reference of references) {
          const found = await partner.find(reference);
          expectThat(found !== undefined, "one of the batch is not known");
          ids.push(found?.payoutId);
        }
      }
      expectThat(ids[0] === ids[2] && ids[1] === ids[3], "the second time they are other payouts");
    },
  },
];

/** Where nobody knows what came of an order, asking by its reference tells. */
export const unknownChecks: readonly Check[] = [
  {
    name: "a lost answer: asked by reference it is there, once",
    async run(partner) {
      const order = partner.order(newReference(), { forced: { behaviour: "LOSE_ANSWER", settleMs: 60_000 } });
      const lost = await partner.submit(order);
      expectThat(lost === undefined, `LOSE_ANSWER was answered ${lost?.status}`);
      const found = await partner.find(order.reference);
      expectThat(found !== undefined, "nobody knows it");
      const again = payoutOf(expectStatus(await partner.submit(order), [200], "it, sent again,"), order.reference);
      expectThat(again.payoutId === found?.payoutId, "sent again it is another payout");
    },
  },
  {
    name: "an answer that comes too late: sent again it is the same payout",
    async run(partner) {
      const forced = { behaviour: "ANSWER_LATE", delayMs: 5_000, settleMs: 60_000 };
      const order = partner.order(newReference(), { forced });
      const late = await partner.submit(order, shortMs);
      expectThat(late === undefined, `ANSWER_LATE was answered ${late?.status} within ${shortMs} ms`);
      // A busy partner may come to it only now.
      const found = await partner.until(order.reference, "ACCEPTED");
      const again = await partner.accepted(order);
      expectThat(found.payoutId === again.payoutId, "sent again it is another payout");
    },
  },
  {
    name: "a call that hangs: asked by reference it is not there, and may be sent again",
    async run(partner) {
      const reference = newReference();
      const hung = await partner.submit(partner.order(reference, { forced: { behaviour: "HANG" } }), shortMs);
      expectThat(hung === undefined, `HANG was answered ${hung?.status}`);
      expectThat((await partner.find(reference)) === undefined, "it is recorded");
      await partner.accepted(partner.order(reference));
    },
  },
  {
    name: "a cut connection: nothing is recorded, and it may be sent again",
    async run(partner) {
      const reference = newReference();
      const cut = await partner.submit(partner.order(reference, { forced: { behaviour: "AWAY" } }));
      expectThat(cut === undefined, `AWAY was answered ${cut?.status}`);
      expectThat((await partner.find(reference)) === undefined, "it is recorded");
      await partner.accepted(partner.order(reference));
    },
  },
  {
    name: "a fault of the partner's own is 5xx, and no refusal",
    async run(partner) {
      const reference = newReference();
      const answer = await partner.submit(partner.order(reference, { forced: { behaviour: "SERVER_ERROR" } }));
      if (answer?.status === 400) throw new LeftOut("SERVER_ERROR cannot be forced");
      const isFault = answer === undefined || answer.status >= 500;
      expectThat(isFault, `SERVER_ERROR was answered ${answer?.status}`);
      // Whatever it has recorded, sent again it is one payout.
      await partner.accepted(partner.order(reference));
    },
  },
];
