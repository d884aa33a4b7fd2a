import { approveShown } from "../support/approve-shown.js";
import { insist } from "./payment-jobs.js";
import type { WalletJobRun } from "./wallet-jobs.js";
import { pm, type WalletPeople } from "./wallet-people.js";

/** Money that leaves wallets: held, exchanged, refunded, withdrawn, paid. */
export function moneyOutJobs(people: WalletPeople) {
  const {
    amina,
    payer,
    payee,
    manager,
    second,
    usd,
    ngn,
    kofis,
    dataOf,
    once,
    read,
    pay,
    paid,
    atPartner,
    until,
    moving,
  } = people;

  async function held(): Promise<string> {
    const requested = { accountId: usd.accountId, payeeAccountId: kofis.accountId, amount: "9.00" };
    return (await once(payer, `${pm}/holds`, { ...requested, password: amina.password })).holdId as string;
  }
  async function issued(type: "BILL" | "MERCHANT"): Promise<string> {
    const item = { type, payeeName: "City Power", currency: "USD", principal: "8.00", fee: "1.00", tax: "0.08" };
    return (await once(manager, `${pm}/payables`, item)).payAbleId as string;
  }
  async function withdraw(arm: () => void, behaviour: string | undefined, ends: string): Promise<void> {
    const [account] = await read(payer, `${pm}/bank-accounts`);
    const requested = { bankAccountId: account.bankAccountId, amount: "100.00" };
    const { payAbleId } = await once(payer, `${pm}/withdrawals`, requested);
    if (behaviour !== undefined) await atPartner("/rules", { reference: payAbleId, behaviour, delayMs: 0 });
    arm();
    await paid("WITHDRAWAL", payAbleId, "100.00", ngn.accountId);
    const isThere = async () => (await read(payer, `${pm}/payables/${payAbleId}`)).status === ends;
    await until(`the withdrawal to be ${ends}`, isThere);
  }

  return {
    hold: (arm) =>
      moving(0n, async () => {
        arm();
        const holdId = await held();
        await once(payee, `${pm}/holds/${holdId}/release`);
      }),

    holdConfirmation: (arm) =>
      moving(-4_00n, async () => {
        const holdId = await held();
        arm();
        const confirmed = await once(payee, `${pm}/holds/${holdId}/confirm`, { amount: "4.00" });
        expect(confirmed).toMatchObject({ status: "CONFIRMED" });
      }),

    holdRelease: (arm) =>
      moving(0n, async () => {
        const holdId = await held();
        arm();
        expect(await once(payee, `${pm}/holds/${holdId}/release`)).toMatchObject({ status: "RELEASED" });
      }),

    exchange: (arm) =>
      moving(-10_00n, async () => {
        const accounts = { fromAccountId: usd.accountId, toAccountId: ngn.accountId };
        const { quoteId } = await once(payer, `${pm}/exchange-quotes`, { ...accounts, amount: "10.00" });
        arm();
        await once(payer, `${pm}/exchange-quotes/${quoteId}/execute`);
      }),

    refund: (arm) =>
      moving(-7_50n, async () => {
        const paymentId = await paid("WALLET_CUSTOMER", kofis.accountId, "12.50");
        const path = `${pm}/payments/${paymentId}/refund`;
        const refund = await once(manager, path, { amount: "5.00", reason: "Sent back" }, 202);
        arm();
        dataOf(await insist(() => approveShown(second, refund.approvalId, { reason: "As agreed" })));
        const isDone = async () => (await read(manager, `${pm}/refunds/${refund.refundId}`)).status === "DONE";
        await until("the refund", isDone);
      }),

    withdrawal: (arm) => moving(-100_00n, () => withdraw(arm, undefined, "SENT"), ngn.accountId),
    withdrawalRefused: (arm) => moving(0n, () => withdraw(arm, "REFUSE", "REFUSED"), ngn.accountId),
    withdrawalReturned: (arm) => moving(0n, () => withdraw(arm, "RETURN", "RETURNED"), ngn.accountId),

    request: (arm) =>
      moving(-2_50n, async () => {
        const requested = { payeeAccountId: kofis.accountId, amount: "2.50" };
        const { payAbleId } = await once(payee, `${pm}/payment-requests`, requested);
        arm();
        await paid("WALLET", payAbleId, "2.50");
      }),

    bill: (arm) =>
      moving(-9_08n, async () => {
        const payAbleId = await issued("BILL");
        arm();
        await paid("BILL", payAbleId, "9.08");
      }),

    order: (arm) =>
      moving(-9_08n, async () => {
        const payAbleId = await issued("MERCHANT");
        arm();
        await paid("MERCHANT", payAbleId, "9.08");
      }),

    toWallet: (arm) =>
      moving(-1_25n, async () => {
        arm();
        await paid("WALLET_CUSTOMER", kofis.accountId, "1.25");
      }),

    /** Refused for good, and free to be paid again. */
    unpayable: (arm) =>
      moving(0n, async () => {
        const item = { type: "BILL", payeeName: "City Power", currency: "USD", principal: "7000.00" };
        const { payAbleId } = await once(manager, `${pm}/payables`, item);
        arm();
        const refused = await pay("BILL", payAbleId, "7000.00");
        expect(refused).toMatchObject({ status: 422, body: { code: "INSUFFICIENT_FUNDS" } });
        const isOpen = async () => (await read(manager, `${pm}/payables/${payAbleId}`)).status === "OPEN";
        await until("the bill to be open", isOpen);
      }),
  } satisfies Record<string, WalletJobRun>;
}
