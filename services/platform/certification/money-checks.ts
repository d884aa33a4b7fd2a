import type { MoneyPartner } from "./money-partner.js";
import { expectStatus, expectThat, LeftOut, newReference } from "./test-partner.js";

export interface MoneyCheck {
  name: string;
  run: (partner: MoneyPartner) => Promise<void>;
}

const shortMs = 1_000;
const longestReference = 100;
const undecided = { behaviour: "STALL" };

/**
 * One order, whatever becomes of its answer, moves money once. `open` is its status while it
 * is undecided, `done` at its end.
 */
export function orderChecksOf({ open, done }: { open: string; done: string }): readonly MoneyCheck[] {
  return [
    {
      name: "an unknown reference is 404",
      async run(partner) {
        expectThat((await partner.find(newReference())) === undefined, "it is known");
      },
    },
    {
      name: "a wrong key is 401",
      async run(partner) {
        const reference = newReference();
        const answer = await partner.submit(reference, {}, { apiKey: "a-key-that-nobody-was-given" });
        expectStatus(answer, [401], "an order with a wrong key");
        expectThat((await partner.find(reference)) === undefined, "it is recorded all the same");
      },
    },
    {
      name: "an order is made and known by our reference",
      async run(partner) {
        const reference = newReference();
        await partner.ordered(reference);
        await partner.until(reference, done);
      },
    },
    {
      name: "the same reference twice is made once",
      async run(partner) {
        const reference = newReference();
        const first = await partner.ordered(reference, { forced: undecided });
        expectThat(first.status === open, `STALL is ${first.status} and not ${open}`);
        // Made anew it would be decided at once.
        const again = await partner.ordered(reference, { forced: { behaviour: "REFUSE", reason: "a second one" } });
        expectThat(again.status === open, `the second time it is ${again.status} and not ${open}`);
        expectThat((await partner.find(reference))?.status === open, "asked later it is another one");
      },
    },
    {
      name: "the same reference twice at once is made once",
      async run(partner) {
        const reference = newReference();
        const all = await Promise.all([1, 2, 3].map(() => partner.ordered(reference, { forced: undecided })));
        expectThat(
          all.every(({ status }) => status === open),
          `one of three is not ${open}`,
        );
      },
    },
    {
      name: "the same reference with another amount is 409",
      async run(partner) {
        const reference = newReference();
        await partner.ordered(reference);
        const other = await partner.submit(reference, { amount: "11.00" });
        expectStatus(other, [409], "another amount under the same reference");
        expectStatus(await partner.submit(reference), [200, 202], "the same order after that");
      },
    },
    {
      name: "amounts are exact to the last digit",
      async run(partner) {
        const reference = newReference();
        await partner.ordered(reference, { amount: "9007199254740993.01", forced: undecided });
        const other = await partner.submit(reference, { amount: "9007199254740993.02" });
        expectStatus(other, [409], "0.01 more of 9007199254740993.01");
      },
    },
    {
      name: "a long reference is kept whole",
      async run(partner) {
        const reference = newReference().padEnd(longestReference, "x");
        await partner.ordered(reference);
        expectThat((await partner.find(reference)) !== undefined, `nobody knows one of ${longestReference} characters`);
        const shorter = await partner.find(reference.slice(0, -1));
        expectThat(shorter === undefined, "another one, shorter by a character, is taken for it");
      },
    },
    {
      name: "an unknown field is ignored",
      async run(partner) {
        await partner.ordered(newReference(), { more: { aFieldOfALaterVersion: { with: ["anything"] } } });
      },
    },
    {
      name: "a refusal has a reason, and stays",
      async run(partner) {
        const reference = newReference();
        for (const _time of [1, 2]) {
          const seen = await partner.ordered(reference, { forced: { behaviour: "REFUSE", reason: "account closed" } });
          expectThat(seen.status === "REFUSED", `it is ${seen.status} and not REFUSED`);
          expectThat(seen.reason === "account closed", `its reason is ${seen.reason} and not "account closed"`);
        }
        expectThat((await partner.find(reference))?.status === "REFUSED", "asked later it is not REFUSED");
      },
    },
    ...unknownChecks,
  ];
}

/** Where nobody knows what came of an order, asking by its reference tells. */
const unknownChecks: readonly MoneyCheck[] = [
  {
    name: "a lost answer: asked by reference it is there, and sent again it is the same",
    async run(partner) {
      const reference = newReference();
      const lost = await partner.submit(reference, { forced: { behaviour: "LOSE_ANSWER", settleMs: 0 } });
      expectThat(lost === undefined, `LOSE_ANSWER was answered ${lost?.status}`);
      expectThat((await partner.find(reference)) !== undefined, "nobody knows it");
      const again = await partner.ordered(reference, { forced: { behaviour: "REFUSE", reason: "a second one" } });
      expectThat(again.status !== "REFUSED", "sent again it is another one");
    },
  },
  {
    name: "a call that hangs is cut: it is not there, and may be sent again",
    async run(partner) {
      const reference = newReference();
      const hung = await partner.submit(reference, { forced: { behaviour: "HANG" } }, { timeoutMs: shortMs });
      expectThat(hung === undefined, `HANG was answered ${hung?.status}`);
      expectThat((await partner.find(reference)) === undefined, "it is recorded");
      await partner.ordered(reference);
    },
  },
  {
    name: "a cut connection: nothing is recorded, and it may be sent again",
    async run(partner) {
      const reference = newReference();
      const cut = await partner.submit(reference, { forced: { behaviour: "AWAY" } });
      expectThat(cut === undefined, `AWAY was answered ${cut?.status}`);
      expectThat((await partner.find(reference)) === undefined, "it is recorded");
      await partner.ordered(reference);
    },
  },
  {
    name: "a fault of the partner's own is 5xx, and no refusal",
    async run(partner) {
      const reference = newReference();
      const answer = await partner.submit(reference, { forced: { behaviour: "SERVER_ERROR" } });
      if (answer?.status === 400) throw new LeftOut("SERVER_ERROR cannot be forced");
      expectThat(answer === undefined || answer.status >= 500, `SERVER_ERROR was answered ${answer?.status}`);
      const again = await partner.ordered(reference);
      expectThat(again.status !== "REFUSED", "sent again it is REFUSED");
    },
  },
];
