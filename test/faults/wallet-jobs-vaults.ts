import { services } from "../support/edge-client.js";
import { insist } from "./payment-jobs.js";
import type { WalletJobRun } from "./wallet-jobs.js";
import { pm, type WalletPeople } from "./wallet-people.js";

const branch = { code: "KILL-1", name: "A branch", country: "NGA" };

/** Cash of one vault for another. */
export function vaultJobs({ manager, second, dataOf, once, moving }: WalletPeople) {
  const orders = `${pm}/cash-orders`;

  async function order(): Promise<string> {
    dataOf(await insist(() => manager.send("PUT", `${services}/branches`, { body: branch })));
    const requested = { toBranchCode: branch.code, currency: "USD", amount: "500.00" };
    return (await once(manager, orders, requested)).orderId as string;
  }
  const send = async (orderId: string) =>
    expect(await once(manager, `${orders}/${orderId}/send`)).toMatchObject({ status: "SENT" });
  const count = async (orderId: string, how: "receive" | "return", counted: string) =>
    once(second, `${orders}/${orderId}/${how}`, { counted, reason: "As counted" });

  return {
    cashOrderSent: (arm) =>
      moving(0n, async () => {
        const orderId = await order();
        arm();
        await send(orderId);
        expect(await count(orderId, "receive", "500.00")).toMatchObject({ status: "RECEIVED" });
      }),

    cashOrderReceived: (arm) =>
      moving(0n, async () => {
        const orderId = await order();
        await send(orderId);
        arm();
        expect(await count(orderId, "receive", "499.00")).toMatchObject({ status: "RECEIVED", difference: "-1.00" });
      }),

    cashOrderReturned: (arm) =>
      moving(0n, async () => {
        const orderId = await order();
        await send(orderId);
        arm();
        expect(await count(orderId, "return", "500.00")).toMatchObject({ status: "RETURNED" });
      }),
  } satisfies Record<string, WalletJobRun>;
}
