import { randomUUID } from "node:crypto";
import { until } from "../cluster.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

export function edgeTests(suite: Suite): TestOf[] {
  return [
    {
      name: "the main job through the gateway's Service: log in, create, pay, read the ledger",
      async run() {
        const client = await suite.logIn("amina");
        const before = await client.balanceOf("USD");
        const interactionId = randomUUID();
        const created = await client.send(client.requests.create("100.00", randomUUID(), interactionId));
        check(created.status === 200, `create answered ${created.status} ${created.text}`);
        const { id, totalAmount } = created.body.data as { id: string; totalAmount: string };
        const payment = client.requests.pay({
          type: "TRANSACTION",
          to: id,
          currency: "USD",
          total: totalAmount,
          reference: randomUUID(),
          interactionId,
        });
        const paid = await client.send(payment);
        check(paid.status === 200, `the payment answered ${paid.status} ${paid.text}`);
        const again = await client.send(payment);
        check(again.text === paid.text, "the same payment was answered differently");
        const cents = BigInt(totalAmount.replace(".", ""));
        check(before - (await client.balanceOf("USD")) === cents, "the balance did not fall by the total, once");
        await until("the transaction is paid", 60_000, async () => {
          const { body } = await client.send(client.requests.transaction(id));
          return ["AWAITING_PAYMENT", "PAYING"].includes(body.data.status) ? undefined : true;
        });
        const entries = await client.send(client.requests.ledger(interactionId));
        const debits = (entries.body.data as { ledgerType: string }[]).filter(
          ({ ledgerType }) => ledgerType === "DEBIT",
        );
        check(debits.length === 3, `the ledger answered ${entries.status} ${entries.text}`);
        return `${totalAmount} USD`;
      },
    },
    {
      name: "an unknown host belongs to no tenant, and a made-up token to nobody",
      async run() {
        const base = await suite.base();
        const headers = { host: "nobody.example" };
        const unknown = await suite.outside.send(base, {
          method: "GET",
          path: "/api/v6/services/paymentmanagement/wallet-accounts",
          headers,
        });
        check(unknown.status === 404, `an unknown host was answered ${unknown.status}`);
        const forged = await suite.outside.send(base, {
          method: "GET",
          path: "/api/v6/services/paymentmanagement/wallet-accounts",
          headers: { host: "localhost", "x-auth-token": "e30.e30.e30" },
        });
        check(forged.status === 401, `a made-up token was answered ${forged.status}`);
      },
    },
  ];
}
