import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "./order-checks.js";
import { CheckFailed, expectStatus, expectThat, LeftOut, newReference, payoutOf, plain } from "./test-partner.js";

const never = { behaviour: "STALL" };

/** How a payout ends. */
export const outcomeChecks: readonly Check[] = [
  {
    name: "a refusal is 422 with a reason, and stays",
    async run(partner) {
      const forced = { behaviour: "REFUSE", reason: "account closed" };
      const order = partner.order(newReference(), { forced });
      for (const _time of [1, 2]) {
        const answer = expectStatus(await partner.submit(order), [200, 422], "an order that is refused");
        const { status, reason } = payoutOf(answer, order.reference);
        expectThat(status === "REFUSED", `it is ${status} and not REFUSED`);
        expectThat(reason === "account closed", `its reason is ${reason} and not "account closed"`);
      }
      expectThat((await partner.find(order.reference))?.status === "REFUSED", "asked later it is not REFUSED");
    },
  },
  {
    name: "a later refusal is told to whoever asks",
    async run(partner) {
      const forced = { behaviour: "REFUSE_LATER", settleMs: 50, reason: "no such account" };
      const order = partner.order(newReference(), { forced });
      const { status } = await partner.accepted(order);
      expectThat(status === "ACCEPTED" || status === "REFUSED", `it is ${status}`);
      await partner.until(order.reference, "REFUSED");
    },
  },
  {
    name: "a recall before it is paid: it is never paid",
    async run(partner) {
      const order = partner.order(newReference(), { forced: never });
      await partner.accepted(order);
      for (const _time of [1, 2]) {
        const { status, payout } = await partner.recall(order.reference);
        expectThat(status === 200 && payout.status === "RECALLED", `the recall is ${status} ${payout.status}`);
      }
      const again = await partner.accepted(order);
      expectThat(again.status === "RECALLED", `sent again it is ${again.status}`);
    },
  },
  {
    name: "a recall of what was paid is 409",
    async run(partner) {
      const order = partner.order(newReference(), { forced: { behaviour: "ACCEPT", settleMs: 0 } });
      await partner.accepted(order);
      await partner.until(order.reference, "PAID");
      const { status, payout } = await partner.recall(order.reference);
      expectThat(status === 409 && payout.status === "PAID", `the recall is ${status} ${payout.status}`);
    },
  },
  {
    name: "a recall of what never came: the order that comes late is not paid",
    async run(partner) {
      const reference = newReference();
      const { status, payout } = await partner.recall(reference);
      expectThat(status === 200 && payout.status === "RECALLED", `the recall is ${status} ${payout.status}`);
      const late = await partner.accepted(partner.order(reference, { forced: { behaviour: "ACCEPT", settleMs: 0 } }));
      expectThat(late.status === "RECALLED", `the late order is ${late.status}`);
    },
  },
  {
    name: "a recall in a race ends in one way",
    async run(partner) {
      const from = new Date(Date.now() - 3_600_000);
      for (const settleMs of [0, 30, 60, 90]) {
        const reference = newReference();
        await partner.accepted(partner.order(reference, { forced: { behaviour: "ACCEPT", settleMs } }));
        await sleep(settleMs);
        const { status, payout } = await partner.recall(reference);
        const stated = status === 200 ? "RECALLED" : "PAID";
        expectThat(payout.status === stated, `the recall is ${status} ${payout.status}`);
        await sleep(100);
        const ended = (await partner.find(reference))?.status;
        expectThat(ended === stated, `it was ${stated} and is ${ended}`);
        const lines = (await partner.statement(from)).filter((line) => line.reference === reference);
        const paid = stated === "PAID" ? 1 : 0;
        expectThat(lines.length === paid, `it is ${stated}, and the statement has ${lines.length} lines of it`);
      }
    },
  },
  {
    name: "a return says what was kept",
    async run(partner) {
      const from = new Date(Date.now() - 3_600_000);
      const forced = { behaviour: "RETURN", settleMs: 0, delayMs: 50, kept: "1.00" };
      const order = partner.order(newReference(), { forced });
      await partner.accepted(order);
      const { amount, kept = "" } = await partner.until(order.reference, "RETURNED");
      expectThat(plain(amount) === "10" && plain(kept) === "1", `of ${amount} it kept ${kept} and not 1.00 of 10.00`);
      const lines = (await partner.statement(from)).filter((line) => line.reference === order.reference);
      const seen = lines.map((line) => `${line.kind} ${plain(line.amount)}`).join(", ");
      expectThat(seen === "PAYOUT 10, RETURN 9", `the statement has ${seen || "nothing"}, not PAYOUT 10, RETURN 9`);
    },
  },
];

/** What is asked beside payouts. */
export const otherChecks: readonly Check[] = [
  {
    name: "the statement has each line once, page by page",
    async run(partner) {
      const from = new Date(Date.now() - 60_000);
      const references = [1, 2, 3, 4, 5].map(newReference);
      for (const reference of references) {
        await partner.accepted(partner.order(reference, { forced: { behaviour: "ACCEPT", settleMs: 0 } }));
      }
      for (const reference of references) await partner.until(reference, "PAID");
      const lines = await partner.statement(from, 2);
      const keys = lines.map(({ reference, kind }) => `${kind} ${reference}`);
      expectThat(new Set(keys).size === keys.length, "a line is there twice");
      const missing = references.filter((reference) => !keys.includes(`PAYOUT ${reference}`));
      expectThat(missing.length === 0, `${missing.length} of ${references.length} that were paid are not there`);
      const times = lines.map(({ at }) => Date.parse(at));
      expectThat(
        times.every((at) => at >= from.getTime()),
        "there are lines from before what was asked for",
      );
      expectThat(
        times.every((at, index) => index === 0 || at >= times[index - 1]!),
        "lines are not in their order",
      );
    },
  },
  {
    name: "the statement ends, also where it has no line",
    async run(partner) {
      const reference = newReference();
      await partner.accepted(partner.order(reference, { forced: { behaviour: "ACCEPT", settleMs: 0 } }));
      await partner.until(reference, "PAID");
      // A page for each line, and then none.
      await partner.statement(new Date(Date.now() - 5_000), 1);
      const nobody = await partner.statement(new Date(Date.now() + 86_400_000));
      expectThat(nobody.length === 0, "there are lines of tomorrow");
    },
  },
  {
    name: "the next window is a time to come",
    async run(partner) {
      const { body } = expectStatus(await partner.ask("GET", "/v1/window"), [200], "a look at the window");
      const opensAt = Date.parse(String((body as { opensAt?: unknown }).opensAt));
      // By clocks that differ.
      expectThat(opensAt > Date.now() - 60_000, `opensAt is ${String((body as { opensAt?: unknown }).opensAt)}`);
    },
  },
  {
    name: "callbacks are signed",
    async run(partner) {
      const { callbacks } = partner;
      if (callbacks === undefined) throw new LeftOut("nobody listens for callbacks here");
      const order = partner.order(newReference(), { forced: { behaviour: "ACCEPT", settleMs: 0 } });
      await partner.accepted({ ...order, callbackUrl: callbacks.url });
      for (let tries = 0; tries < 50; tries += 1) {
        if (await callbacks.has(order.reference)) return;
        await sleep(100);
      }
      throw new CheckFailed("within 5 s no callback came whose signature is right");
    },
  },
];
