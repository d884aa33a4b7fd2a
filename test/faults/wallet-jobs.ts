import { randomUUID } from "node:crypto";
import { compareWallet } from "../../deploy/cli/reconcile-wallet.js";
import type { OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { services, type Demo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { sentCode } from "../support/sent-code.js";
import { insist } from "./payment-jobs.js";
import { createWalletCalls, patience, pm } from "./wallet-calls.js";

/** Everything of a wallet that takes more than one step and is no payment for a transaction. */
export type WalletJob =
  | "card"
  | "pendingCard"
  | "credit"
  | "assignment"
  | "cashIn"
  | "cashOut"
  | "tillOpening"
  | "tillClosing"
  | "vault"
  | "hold"
  | "holdConfirmation"
  | "holdRelease"
  | "exchange"
  | "refund"
  | "withdrawal"
  | "withdrawalRefused"
  | "withdrawalReturned"
  | "request"
  | "bill"
  | "order"
  | "toWallet"
  | "unpayable";

/**
 * What clients do while the wallet is killed: each job calls `arm` before the step that is to be cut off, insists on its answers, checks that
 * they stay the same, and that its money moved once, or not at all.
 */
export async function createWalletJobs(demo: Demo, operator: OperatorClients, partnerAddress: string) {
  const calls = await createWalletCalls(demo, partnerAddress);
  const {
    tenantId,
    payer,
    payee,
    manager,
    second,
    cashier,
    amina,
    usd,
    ngn,
    kofis,
    tills,
    dataOf,
    once,
    read,
    pay,
    paid,
    atPartner,
    arrives,
    until,
    moving,
    openTill,
    closeTill,
    held,
    issued,
    withdraw,
  } = calls;

  const jobs: Record<WalletJob, (arm: () => void) => Promise<void>> = {
    card: (arm) =>
      moving(20_00n, async () => {
        arm();
        const asked = { accountId: usd.accountId, amount: "20.00", cardToken: "tok_ok" };
        expect(await once(payer, `${pm}/card-top-ups`, asked)).toMatchObject({ status: "DONE" });
      }),

    pendingCard: (arm) =>
      moving(20_00n, async () => {
        arm();
        const asked = { accountId: usd.accountId, amount: "20.00", cardToken: "tok_pending" };
        const headers = { "x-idempotency-key": randomUUID() };
        const topUp = dataOf(await insist(() => payer.send("POST", `${pm}/card-top-ups`, { headers, body: asked })));
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
        const asked = { accountId: usd.accountId, reason: "The sender called" };
        await once(manager, `${pm}/unmatched-credits/${creditId}/assign`, asked);
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
        const asked = { accountId, amount: "10.00", password: amina.password, otp };
        await once(cashier, `${tills}/${tillId}/cash-out`, asked);
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
        arm();
        const asked = { direction: "FROM_BANK", currency: "USD", amount: "100.00", reference: "Slip 4711" };
        expect(await once(manager, `${pm}/vault-movements`, asked)).toMatchObject({ amount: "100.00" });
      }),

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
        const headers = { "x-idempotency-key": randomUUID() };
        const approve = `${services}/admin/approvals/${refund.approvalId}/approve`;
        dataOf(await insist(() => second.send("POST", approve, { headers, body: { reason: "As agreed" } })));
        const isDone = async () => (await read(manager, `${pm}/refunds/${refund.refundId}`)).status === "DONE";
        await until("the refund", isDone);
      }),

    withdrawal: (arm) => moving(-100_00n, () => withdraw(arm, undefined, "SENT"), ngn.accountId),
    withdrawalRefused: (arm) => moving(0n, () => withdraw(arm, "REFUSE", "REFUSED"), ngn.accountId),
    withdrawalReturned: (arm) => moving(0n, () => withdraw(arm, "RETURN", "RETURNED"), ngn.accountId),

    request: (arm) =>
      moving(-2_50n, async () => {
        const asked = { payeeAccountId: kofis.accountId, amount: "2.50" };
        const { payAbleId } = await once(payee, `${pm}/payment-requests`, asked);
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
  };

  return {
    run: (job: WalletJob, arm: () => void) => jobs[job](arm),
    /** Wallet, remittance and ledger, once nothing is under way. */
    async compared() {
      const call = () => outgoing({ tenantId, interactionId: randomUUID() });
      return waitFor(
        async () => {
          const found = await compareWallet({ ...operator, call }).catch(() => undefined);
          return found?.inFlight === 0 ? found : undefined;
        },
        { ...patience, what: "nothing to be under way" },
      );
    },
  };
}
