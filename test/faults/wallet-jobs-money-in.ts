import { randomUUID } from "node:crypto";
import { sentCode } from "../support/sent-code.js";
import { approveShown } from "../support/approve-shown.js";
import { insist } from "./payment-jobs.js";
import type { WalletJobRun } from "./wallet-jobs.js";
import { vaultJobs } from "./wallet-jobs-vaults.js";
import { pm, type WalletPeople } from "./wallet-people.js";

/** Money that comes into wallets: from cards, from the bank, in cash. */
export function moneyInJobs(
  people: WalletPeople,
  setStatus: (status: "CUSTOMER_STATUS_BLOCKED" | "CUSTOMER_STATUS_CONFIRMED") => Promise<void>,
) {
  const {
    tenantId,
    partnerAddress,
    amina,
    payer,
    manager,
    second,
    cashier,
    agent,
    usd,
    dataOf,
    once,
    read,
    atPartner,
    until,
    moving,
  } = people;
  const tills = `${pm}/tills`;

  const arrives = (reference: string, creditId: string) =>
    atPartner("/bank/credits", {
      account: tenantId,
      collection: "wallet",
      reference,
      amount: "30.00",
      currency: "USD",
      senderName: "Chidi Okafor",
      creditId,
    });

  const held = async (): Promise<number> => (await read(manager, `${pm}/held-arrivals`)).arrivals.length;

  async function openTill(): Promise<string> {
    return (await once(cashier, tills, { currency: "USD", float: "100.00" })).tillId as string;
  }
  /** Left closed for the next. */
  async function closeTill(tillId: string, counted: string) {
    expect(await once(cashier, `${tills}/${tillId}/close`, { counted, reason: "As counted" })).toMatchObject({
      status: "CLOSED",
    });
  }
  async function approvedClosing(tillId: string, approvalId: string) {
    dataOf(await insist(() => approveShown(second, approvalId, { reason: "Counted twice" })));
    await until("the till to be closed", async () => {
      const listed = await read(manager, `${tills}?size=100`);
      return listed.tills.some(
        (one: { tillId: string; status: string }) => one.tillId === tillId && one.status === "CLOSED",
      );
    });
  }

  return {
    card: (arm) =>
      moving(20_00n, async () => {
        arm();
        const requested = { accountId: usd.accountId, amount: "20.00", cardToken: "tok_ok" };
        expect(await once(payer, `${pm}/card-top-ups`, requested)).toMatchObject({ status: "DONE" });
      }),

    pendingCard: (arm) =>
      moving(20_00n, async () => {
        arm();
        const requested = { accountId: usd.accountId, amount: "20.00", cardToken: "tok_pending" };
        const headers = { "x-idempotency-key": randomUUID() };
        const topUp = dataOf(
          await insist(() => payer.send("POST", `${pm}/card-top-ups`, { headers, body: requested })),
        );
        expect(topUp).toMatchObject({ status: "PENDING" });
        await atPartner(`/bank/card-charges/${tenantId}/${topUp.topUpId}`, { status: "CAPTURED" });
        const isDone = async () => (await read(payer, `${pm}/card-top-ups/${topUp.topUpId}`)).status === "DONE";
        await until("the card to be charged", isDone);
      }),

    credit: (arm) =>
      moving(30_00n, async () => {
        arm();
        await arrives(`for ${usd.accountNumber}`, randomUUID());
      }),

    /** What arrives while the payer may not have it is released once they may. */
    heldCredit: (arm) =>
      moving(30_00n, async () => {
        await setStatus("CUSTOMER_STATUS_BLOCKED");
        try {
          await arrives(`for ${usd.accountNumber}`, randomUUID());
          await until("the credit to be held", async () => (await held()) === 1);
          arm();
        } finally {
          await setStatus("CUSTOMER_STATUS_CONFIRMED");
        }
        // The ledger lets it go before the wallet has noted it, and a comparison
        // in between finds a difference.
        await until("the credit to be released", async () => (await held()) === 0);
      }),

    assignment: (arm) =>
      moving(30_00n, async () => {
        const creditId = randomUUID();
        await arrives("thank you", creditId);
        const isListed = async () => {
          const { credits } = await read(manager, `${pm}/unmatched-credits?size=100`);
          return credits.some((one: { creditId: string }) => one.creditId === creditId);
        };
        await until("the credit to be listed", isListed);
        arm();
        const requested = { accountId: usd.accountId, reason: "The sender called" };
        await once(manager, `${pm}/unmatched-credits/${creditId}/assign`, requested);
      }),

    cashIn: (arm) =>
      moving(50_00n, async () => {
        const tillId = await openTill();
        arm();
        await once(cashier, `${tills}/${tillId}/cash-in`, { accountId: usd.accountId, amount: "50.00" });
        await closeTill(tillId, "150.00");
      }),

    cashOut: (arm) =>
      moving(-10_00n, async () => {
        const tillId = await openTill();
        const { accountId } = usd;
        const payment = { payableType: "CASH", payAbleId: accountId, totalCheckOutAmount: "10.00", currency: "USD" };
        const otp = await sentCode(payer, amina.email, payment, { partnerAddress, tenantId });
        arm();
        const requested = { accountId, amount: "10.00", password: amina.password, otp };
        await once(cashier, `${tills}/${tillId}/cash-out`, requested);
        await closeTill(tillId, "90.00");
      }),

    tillOpening: (arm) =>
      moving(0n, async () => {
        arm();
        await closeTill(await openTill(), "100.00");
      }),

    tillClosing: (arm) =>
      moving(0n, async () => {
        const tillId = await openTill();
        arm();
        await closeTill(tillId, "99.00");
      }),

    vault: (arm) =>
      moving(0n, async () => {
        const requested = { direction: "FROM_BANK", currency: "USD", amount: "100.00", reference: "Slip 4711" };
        const { approvalId } = await once(manager, `${pm}/vault-movements`, requested, 202);
        arm();
        dataOf(await insist(() => approveShown(second, approvalId, { reason: "As agreed" })));
      }),

    /** What a manager has allowed is taken by its cashier. */
    takenCashIn: (arm) =>
      moving(10_000_01n, async () => {
        const tillId = await openTill();
        const requested = { accountId: usd.accountId, amount: "10000.01" };
        const { cashInId, approvalId } = await once(cashier, `${tills}/${tillId}/cash-in`, requested, 202);
        dataOf(await insist(() => approveShown(second, approvalId, { reason: "They are here" })));
        const path = `${pm}/cash-ins/${cashInId}`;
        await until("it to be allowed", async () => (await read(cashier, path)).status === "APPROVED");
        arm();
        await once(cashier, `${path}/take`);
        await closeTill(tillId, "10100.01");
      }),

    /** So much is missing that a manager decides. */
    approvedClosing: (arm) =>
      moving(0n, async () => {
        const tillId = await openTill();
        const counted = { counted: "250.00", reason: "As counted" };
        const { approvalId } = await once(cashier, `${tills}/${tillId}/close`, counted, 202);
        arm();
        await approvedClosing(tillId, approvalId as string);
      }),

    /** A manager is asked, whatever befell whoever asks. */
    askedClosing: (arm) =>
      moving(0n, async () => {
        const tillId = await openTill();
        arm();
        const counted = { counted: "250.00", reason: "As counted" };
        const { approvalId } = await once(cashier, `${tills}/${tillId}/close`, counted, 202);
        await approvedClosing(tillId, approvalId as string);
      }),

    handOver: (arm) =>
      moving(0n, async () => {
        const tillId = await openTill();
        const theirs = await once(agent, tills, { currency: "USD", float: "100.00" });
        const offered = { receiverId: theirs.cashierId as string, counted: "40.00" };
        const { handOverId } = await once(cashier, `${tills}/${tillId}/hand-overs`, offered);
        arm();
        expect(await once(agent, `${pm}/hand-overs/${handOverId}/accept`)).toMatchObject({ status: "ACCEPTED" });
        await closeTill(tillId, "60.00");
        const closed = await once(agent, `${tills}/${theirs.tillId}/close`, { counted: "140.00" });
        expect(closed).toMatchObject({ status: "CLOSED" });
      }),

    ...vaultJobs(people),
  } satisfies Record<string, WalletJobRun>;
}
