import { randomUUID } from "node:crypto";
import { orderChecksOf, type MoneyCheck } from "./money-checks.js";
import { expectRepeated, expectStatus, expectThat } from "./test-partner.js";

/** What a card acquirer must do, by name. */
export const cardChecks: readonly MoneyCheck[] = [
  ...orderChecksOf({ open: "PENDING", done: "CAPTURED" }),
  {
    name: "a stored card is a token, or 404 where there is none",
    async run(partner) {
      const customerId = randomUUID();
      const path = `/v1/bank/customers/${customerId}/card`;
      const answer = expectStatus(await partner.ask("GET", path), [200, 404], "a look for a stored card");
      const { status, body } = answer.status === 404 ? answer : expectRepeated(answer, "customerId", customerId);
      const token = (body as { cardToken?: unknown } | undefined)?.cardToken;
      expectThat(status === 404 || (typeof token === "string" && token !== ""), "it has no cardToken");
    },
  },
];
