import { approveShown } from "../support/approve-shown.js";
import { services } from "../support/edge-client.js";
import { insist } from "./payment-jobs.js";
import type { WalletJobRun } from "./wallet-jobs.js";
import { pm, type WalletPeople } from "./wallet-people.js";

const branch = { code: "KILL-1", name: "A branch", country: "NGA" };

/** Cash of one vault for another. */
export function vaultJobs(people: WalletPeople) {
  const { manager, second, cashier, cashierId, dataOf, once, read, until, moving } = people;
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

  /** The cashier at a branch, or at the house. */
  const works = async (branchCode?: string) => {
    const body = branchCode === undefined ? {} : { branchCode };
    dataOf(await insist(() => manager.send("PUT", `${pm}/branch-assignments/${cashierId}`, { body })));
  };

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

    /** So much is missing that a manager decides, who did not send it: they are asked. */
    askedOrder: (arm) =>
      moving(0n, async () => {
        const orderId = await order();
        await send(orderId);
        await works(branch.code);
        try {
          arm();
          const counted = { counted: "100.00", reason: "As counted" };
          const { approvalId } = await once(cashier, `${orders}/${orderId}/receive`, counted, 202);
          dataOf(await insist(() => approveShown(second, approvalId, { reason: "Counted twice" })));
          await until("the order to be received", async () => {
            const listed = await read(manager, `${orders}?size=100`);
            return listed.orders.some(
              (one: { orderId: string; status: string }) => one.orderId === orderId && one.status === "RECEIVED",
            );
          });
        } finally {
          await works();
        }
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
