import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BehaviourName } from "../../../deploy/partner/behaviours.js";
import { services, type EdgeAnswer } from "../../support/edge-client.js";
import { createCustomerCalls } from "./customer-calls.js";
import { tenantId } from "./fixture.js";
import { customerMoves, minorOf, move, type CustomerMove, type WalletLog } from "./moves.js";
import { oneOf, paymentsPath, tellPartner, type Session } from "./session.js";
import type { FaultyWorld } from "./world.js";

export interface WalletClients {
  readonly customers: readonly Session[];
  readonly manager: Session;
  readonly second: Session;
}

const bankMoods: readonly (readonly [BehaviourName, number])[] = [
  ["ACCEPT", 40],
  ["REFUSE", 15],
  ["REFUSE_LATER", 10],
  ["RETURN", 20],
  ["LOSE_ANSWER", 10],
  ["HANG", 5],
];
const cards: readonly (readonly [string, number])[] = [
  ["tok_ok", 60],
  ["tok_pending", 25],
  ["tok_refused", 15],
];
const merchant = { payeeCode: "city-power", fee: "1.00", tax: "0.08" };

export type WalletTraffic = ReturnType<typeof createWalletTraffic>;

/**
 * Everything that customers do with wallets beside paying for transactions; each move is noted when
 * it was acknowledged.
 */
export function createWalletTraffic(world: FaultyWorld, { customers, manager, second }: WalletClients, log: WalletLog) {
  const { moves, withdrawals, complaints } = log;
  let deck: CustomerMove[] = [];
  const { complain, once, repeated, pay, somebodyElse, someAmount } = createCustomerCalls(customers, log);

  async function toWallet(by: Session): Promise<{ paymentId: string; to: string; total: string } | undefined> {
    const [from, to] = [await by.wallet("USD"), await somebodyElse(by).wallet("USD")];
    const total = someAmount(20);
    const answer = await pay(by, "WALLET_CUSTOMER", to.accountId, total);
    if (answer.status !== 200) return void complain("pay to a wallet", answer);
    const { paymentId } = answer.body.data as { paymentId: string };
    const minor = minorOf(total);
    moves.push(move("to a wallet", `payment:${paymentId}`, { [from.accountId]: -minor, [to.accountId]: minor }));
    return { paymentId, to: to.accountId, total };
  }

  async function request(by: Session): Promise<void> {
    const asker = somebodyElse(by);
    const [from, to] = [await by.wallet("USD"), await asker.wallet("USD")];
    const amount = someAmount(20);
    const requested = await once(asker, `${paymentsPath}/payment-requests`, { payeeAccountId: to.accountId, amount });
    if (requested.status !== 200) return void complain("request a payment", requested);
    const { payAbleId } = requested.body.data as { payAbleId: string };
    const answer = await pay(by, "WALLET", payAbleId, amount);
    if (answer.status !== 200) return void complain(`pay request ${payAbleId}`, answer);
    const effects = { [from.accountId]: -minorOf(amount), [to.accountId]: minorOf(amount) };
    moves.push(move("request", `payment:${answer.body.data.paymentId}`, effects));
  }

  /** Sometimes two want to pay it: one of them does. Sometimes it is more than the wallet has. */
  async function issued(by: Session, kind: "bill" | "order"): Promise<void> {
    const type = kind === "bill" ? "BILL" : "MERCHANT";
    const isTooMuch = randomInt(6) === 0;
    const principal = isTooMuch ? "900000.00" : someAmount(20);
    const item = { type, payeeName: "City Power", currency: "USD", principal, ...merchant };
    const made = await once(manager, `${paymentsPath}/payables`, item);
    if (made.status !== 200) return void complain(`issue a ${kind}`, made);
    const { payAbleId, total } = made.body.data as { payAbleId: string; total: string };
    if (isTooMuch) {
      const refused = await pay(by, type, payAbleId, total);
      if (refused.body?.code !== "INSUFFICIENT_FUNDS") complain(`pay too much for ${payAbleId}`, refused);
      return;
    }
    const rivals = randomInt(3) === 0 ? [by, somebodyElse(by)] : [by];
    const answers = await Promise.all(
      rivals.map(async (payer) => ({ payer, answer: await pay(payer, type, payAbleId, total) })),
    );
    const paid = answers.filter(({ answer }) => answer.status === 200);
    for (const { answer } of answers) {
      const isLost = ["PAYABLE_ALREADY_PAID", "PAYABLE_NOT_OPEN"].includes(String(answer.body?.code));
      if (answer.status !== 200 && !isLost) complain(`pay ${kind} ${payAbleId}`, answer);
    }
    if (paid.length !== 1) return void complaints.push(`${kind} ${payAbleId} was paid ${paid.length} times`);
    const [{ payer, answer }] = paid as [(typeof paid)[number]];
    moves.push(
      move(kind, `payment:${answer.body.data.paymentId}`, {
        [(await payer.wallet("USD")).accountId]: -minorOf(total),
        "merchant_settlement:city-power:USD": minorOf(principal),
        "wallet_fee_income:USD": minorOf(merchant.fee),
        "wallet_tax_payable:USD": minorOf(merchant.tax),
      }),
    );
    if (randomInt(3) === 0) await refund(answer.body.data.paymentId as string, [payer, total], []);
  }

  /**
   * Whole, sometimes asked for twice at once: one of them has it. `legs` are what it is taken from
   * where it is no bill.
   */
  async function refund(paymentId: string, [payer, total]: [Session, string], legs: [string, bigint][]): Promise<void> {
    const path = `${paymentsPath}/payments/${paymentId}/refund`;
    const askers = randomInt(3) === 0 ? [manager, second] : [manager];
    const answers = await Promise.all(askers.map((asker) => once(asker, path, { reason: "Sent back" })));
    const won = answers.findIndex(({ status }) => status === 202 || status === 200);
    for (const [index, answer] of answers.entries()) {
      const isWon = answer.status === 202 || answer.status === 200;
      const isLost = answer.body?.code === "REFUND_EXCEEDS_PAYMENT";
      if (isWon ? index !== won : !isLost) complain(`refund of ${paymentId}`, answer);
    }
    if (won < 0) return void complaints.push(`no refund of ${paymentId} was taken`);
    const { refundId, approvalId } = answers[won]!.body.data as { refundId: string; approvalId: string };
    const approver = askers[won] === manager ? second : manager;
    const approved = await approve(approver, approvalId);
    if (approved.status !== 200) return void complain(`approve ${approvalId}`, approved);
    const minor = minorOf(total);
    const [fee, tax] = [minorOf(merchant.fee), minorOf(merchant.tax)];
    const ofBill = {
      "merchant_settlement:city-power:USD": fee + tax - minor,
      "wallet_fee_income:USD": -fee,
      "wallet_tax_payable:USD": -tax,
    };
    const from = legs.length === 0 ? ofBill : Object.fromEntries(legs);
    const to = (await payer.wallet("USD")).accountId;
    moves.push(move("refund", `refund:${refundId}`, { ...from, [to]: minor }));
  }

  /**
   * Looks at what it does, until its service can tell, and approves that; anew where
   * it does something else by now.
   */
  async function approve(by: Session, approvalId: string): Promise<EdgeAnswer> {
    const path = `${services}/admin/approvals/${approvalId}`;
    for (;;) {
      const shown = await by.insist((edge) => edge.send("GET", path));
      if (shown.status !== 200) return shown;
      const digest: unknown = shown.body.data.digest;
      const approved =
        digest === undefined ? undefined : await once(by, `${path}/approve`, { reason: "As agreed", digest });
      if (approved !== undefined && approved.body?.code !== "APPROVAL_CHANGED") return approved;
      // Whoever was answered before, and did not hear of it, finds it decided.
      if (shown.body.data.status !== "PENDING") return shown;
      await sleep(200);
    }
  }

  async function withdrawal(by: Session): Promise<void> {
    const { accountId } = await by.wallet("NGN");
    const [account] = (await by.read("/bank-accounts")) as { bankAccountId: string }[];
    const amount = someAmount(500);
    const requested = { bankAccountId: account?.bankAccountId, amount };
    const prepared = await once(by, `${paymentsPath}/withdrawals`, requested);
    if (prepared.status !== 200) return void complain("prepare a withdrawal", prepared);
    const { payAbleId } = prepared.body.data as { payAbleId: string };
    const behaviour = oneOf(bankMoods);
    const rule = { account: tenantId, reference: payAbleId, behaviour, ...(behaviour === "HANG" ? { times: 1 } : {}) };
    await tellPartner(world.partnerAddress, "/rules", { ...rule, delayMs: 200 });
    const answer = await pay(by, "WITHDRAWAL", payAbleId, amount, "NGN");
    if (answer.status !== 200) return void complain(`pay withdrawal ${payAbleId}`, answer);
    const minor = minorOf(amount);
    const effects = { [accountId]: -minor, "withdrawal_clearing:NGN": minor };
    moves.push(move("withdrawal", `payment:${answer.body.data.paymentId}`, effects));
    withdrawals.push({ withdrawalId: payAbleId, accountId, minor });
  }

  async function card(by: Session): Promise<void> {
    const { accountId } = await by.wallet("USD");
    const [amount, cardToken] = [someAmount(20), oneOf(cards)];
    const body = { accountId, amount, cardToken };
    const headers = { "x-idempotency-key": randomUUID() };
    const charge = () => by.client.send("POST", `${paymentsPath}/card-top-ups`, { headers, body });
    // What waits for its card has another answer later.
    const answer = cardToken === "tok_pending" ? await by.insist(charge) : await repeated(by, charge, "card-top-ups");
    if (cardToken === "tok_refused") {
      if (answer.body?.code !== "CARD_REFUSED") complain("a refused card", answer);
      return;
    }
    if (answer.status !== 200) return void complain("charge a card", answer);
    const { topUpId } = answer.body.data as { topUpId: string };
    if (cardToken === "tok_pending") {
      const path = `/bank/card-charges/${tenantId}/${topUpId}`;
      await tellPartner(world.partnerAddress, path, { status: "CAPTURED" });
    }
    const minor = minorOf(amount);
    moves.push(move("card", `top-up:${topUpId}`, { "card_settlement:operator:USD": -minor, [accountId]: minor }));
  }

  /** By its reference, or to nobody and given to the wallet by staff. */
  async function arriving(by: Session, kind: "bank transfer" | "assigned transfer"): Promise<void> {
    const { accountId, accountNumber } = await by.wallet("USD");
    const [creditId, amount] = [randomUUID(), someAmount(20)];
    const reference = kind === "bank transfer" ? `for ${accountNumber}` : "thank you";
    const credit = { account: tenantId, collection: "wallet", currency: "USD", senderName: "Chidi Okafor" };
    await tellPartner(world.partnerAddress, "/bank/credits", { ...credit, creditId, amount, reference });
    if (kind === "assigned transfer" && !(await assigned(creditId, accountId))) return;
    const minor = minorOf(amount);
    moves.push(move(kind, `credit:${creditId}`, { "bank_settlement:operator:USD": -minor, [accountId]: minor }));
  }

  /** Staff tries until it is there to be given. */
  async function assigned(creditId: string, accountId: string): Promise<boolean> {
    for (;;) {
      const path = `${paymentsPath}/unmatched-credits/${creditId}/assign`;
      const answer = await once(manager, path, { accountId, reason: "The sender called" });
      if (answer.status === 200) return true;
      // Not read yet, or taken and not booked yet.
      if (answer.status !== 404 && answer.body?.code !== "STATE_CONFLICT") {
        complain(`assign ${creditId}`, answer);
        return false;
      }
      await sleep(500);
    }
  }

  /** Confirmed in part, released, or both at once: one of them has it. */
  async function hold(by: Session): Promise<void> {
    const payee = somebodyElse(by);
    const [from, to] = [await by.wallet("USD"), await payee.wallet("USD")];
    const accounts = { accountId: from.accountId, payeeAccountId: to.accountId };
    const held = await once(by, `${paymentsPath}/holds`, { ...accounts, amount: "9.00", password: by.user.password });
    if (held.status !== 200) return void complain("hold", held);
    const { holdId } = held.body.data as { holdId: string };
    const confirm = () => once(payee, `${paymentsPath}/holds/${holdId}/confirm`, { amount: "4.00" });
    const release = () => once(payee, `${paymentsPath}/holds/${holdId}/release`);
    const luck = randomInt(3);
    const answers = await Promise.all(luck === 0 ? [confirm()] : luck === 1 ? [release()] : [confirm(), release()]);
    const done = answers.filter(({ status }) => status === 200);
    for (const answer of answers) {
      if (answer.status !== 200 && answer.body?.code !== "HOLD_NOT_OPEN") complain(`end hold ${holdId}`, answer);
    }
    if (done.length !== 1) return void complaints.push(`hold ${holdId} was ended ${done.length} times`);
    const isConfirmed = done[0]?.body.data.status === "CONFIRMED";
    moves.push(move("hold", `hold:${holdId}`, isConfirmed ? { [from.accountId]: -400n, [to.accountId]: 400n } : {}));
  }

  async function exchange(by: Session): Promise<void> {
    const [from, to] = [await by.wallet("USD"), await by.wallet("NGN")];
    const accounts = { fromAccountId: from.accountId, toAccountId: to.accountId };
    const quoted = await once(by, `${paymentsPath}/exchange-quotes`, { ...accounts, amount: someAmount(9) });
    if (quoted.status !== 200) return void complain("quote an exchange", quoted);
    const { quoteId, fromAmount, toAmount } = quoted.body.data as Record<"quoteId" | "fromAmount" | "toAmount", string>;
    const answer = await once(by, `${paymentsPath}/exchange-quotes/${quoteId}/execute`);
    // Its minute may be over when the cluster comes back.
    if (answer.body?.code === "QUOTE_NOT_OPEN") return;
    if (answer.status !== 200) return void complain(`exchange ${quoteId}`, answer);
    moves.push(
      move("exchange", `exchange:${quoteId}`, {
        [from.accountId]: -minorOf(fromAmount),
        "wallet_exchange_position:USD": minorOf(fromAmount),
        "wallet_exchange_position:NGN": -minorOf(toAmount),
        [to.accountId]: minorOf(toAmount),
      }),
    );
  }

  const doing: Record<CustomerMove, (by: Session) => Promise<unknown>> = {
    "to a wallet": toWallet,
    request,
    bill: (by) => issued(by, "bill"),
    order: (by) => issued(by, "order"),
    withdrawal,
    card,
    "bank transfer": (by) => arriving(by, "bank transfer"),
    "assigned transfer": (by) => arriving(by, "assigned transfer"),
    hold,
    exchange,
    async refund(by) {
      const paid = await toWallet(by);
      if (paid === undefined) return;
      await refund(paid.paymentId, [by, paid.total], [[paid.to, -minorOf(paid.total)]]);
    },
  };

  return {
    once,
    complain,
    /** In random order, but all kinds before one comes again. */
    async next(by: Session, begins: (kind: CustomerMove) => void): Promise<void> {
      if (deck.length === 0) deck = customerMoves.toSorted(() => Math.random() - 0.5);
      const kind = deck.pop()!;
      begins(kind);
      await doing[kind](by);
    },
  };
}
