import { v7 as uuidv7 } from "uuid";
import type { PayoffLoanRequest } from "../../../proto/gen/lending/v1/repayment.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { BusinessTime } from "../../platform/preferences/business-clock.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { originOf } from "../../kernel/sagas/index.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { checkActive, checkUnclaimed, type Loan } from "../domain/loan.js";
import { payoffMethods, type Payoff } from "../domain/payoff.js";
import { payoffAt, type PayoffFigures } from "../domain/payoff-figure.js";
import { comparableReference } from "../domain/repayment.js";
import { minorOf } from "../wire/parse.js";
import type { LendingDeps } from "./deps.js";
import { visibleLoan } from "./visible.js";

/** Looks up what a payoff needs before it begins: how much is due, and from where it is paid. */
export function createPayoffDrafts(deps: LendingDeps) {
  const { store, businessClock, clock, payoffQuoteS } = deps;

  /**
   * The payoff that a request asks for, and the loan as it was seen. Refuses what forbids it before
   * anything is written.
   */
  async function draft(request: PayoffLoanRequest, method: Payoff["method"], call: Call) {
    const time = await businessClock.forTenant(call.tenantId);
    const user = requireUser(call);
    const loan = await visibleLoan(deps, textFromWire(request.loanApplicationId, "loanApplicationId"), call);
    if (loan.customerId !== user.customerId) throw new Refusal("FORBIDDEN", "this is another customer's loan");
    checkActive(loan);
    checkUnclaimed(loan);
    const { validUntil, ...due } = await dueOf(request, loan, time, call);
    await deps.ceilings.check(call, { minor: due.amountMinor, currency: loan.currency });
    const { customerId, accountId, currency, reference } = loan;
    const walletAccountId = method === "WALLET" ? await walletOf(customerId, currency, call) : undefined;
    // What is charged without being typed in needs the PIN as the wallet does.
    const isStored = method === "CARD" && request.cardToken === "";
    if (method === "WALLET" || isStored) await checkPin(user.userId, request.transactionPin, call);
    // A token is of the acquirer that knows it, so that one is asked for both.
    const partner = method === "CARD" ? await deps.cards.takerOf(call.tenantId, call.interactionId) : undefined;
    const cardToken = isStored ? await storedCardOf(customerId, partner, call) : request.cardToken;
    await deps.moves.assertPasses({ customerId, kind: "LOAN_PAYOFF" }, call);
    const payoffReference = method === "BANK_TRANSFER" ? `${reference}P` : reference;
    const payoff: Payoff = {
      payoffId: uuidv7(),
      accountId,
      loanApplicationId: loan.loanApplicationId ?? "",
      customerId,
      method,
      currency,
      ...due,
      reference: payoffReference,
      matchReference: comparableReference(payoffReference),
      ...(walletAccountId === undefined ? {} : { walletAccountId }),
      ...(method === "CARD" ? { cardToken } : {}),
      ...(partner === undefined ? {} : { partner }),
      ...(method === "BANK_TRANSFER" ? { validUntil } : {}),
      status: "PENDING",
      ...originOf(call, actorOf(call), request.idempotencyKey),
      createdAt: clock.now(),
    };
    return { payoff, loan };
  }

  /**
   * Today's figure, or that of a quote that is still good. Refuses AMOUNT_MISMATCH naming what is
   * due.
   */
  async function dueOf({ payoffAmount }: PayoffLoanRequest, loan: Loan, time: BusinessTime, call: Call) {
    const { currency, accountId, terms, events } = loan;
    const on = time.today().toString();
    const figures = payoffAt(terms, events, on);
    const requested = payoffAmount === "" ? figures.amountMinor : minorOf(payoffAmount, currency, "payoffAmount");
    if (requested === figures.amountMinor) {
      return { ...chargedOf(figures), on, validUntil: new Date(time.now().getTime() + payoffQuoteS * 1_000) };
    }
    const quote = await store.forTenant(call.tenantId).findQuote(accountId, time.now(), events.length);
    if (quote?.amountMinor === requested) {
      return { ...chargedOf(quote), on: quote.on, validUntil: quote.validUntil };
    }
    const due = formatMoney({ minor: figures.amountMinor, currency });
    throw new Refusal("AMOUNT_MISMATCH", `payoffAmount must be ${due} ${currency}`, { figures: { due, currency } });
  }

  async function walletOf(customerId: string, currency: string, call: Call): Promise<string> {
    const { accounts } = await deps.wallet.listWalletAccounts({ customerId }, outgoing(call));
    const inCurrency = accounts.filter((account) => account.currency === currency);
    // One that was closed may stand before the one that is in use.
    const found = inCurrency.find(({ status }) => status === "OPEN") ?? inCurrency[0];
    if (found === undefined) throw new Refusal("CURRENCY_MISMATCH", `the customer has no wallet in ${currency}`);
    return found.accountId;
  }

  async function storedCardOf(
    customerId: string,
    at: OwnPartner | undefined,
    { tenantId, signal }: Call,
  ): Promise<string> {
    const found = await deps.card.storedCard(customerId, { tenantId, at, signal });
    if (found !== undefined) return found;
    const others = payoffMethods.filter((method) => method !== "CARD").join(" or ");
    throw new Refusal("CARD_REFUSED", `no card is stored for the customer: give a cardToken, or pay by ${others}`);
  }

  /**
   * Refuses PIN_REQUIRED, PIN_WRONG and PIN_LOCKED where the tenant or the customer wants a PIN.
   */
  async function checkPin(userId: string, pin: string, call: Call): Promise<void> {
    if (pin.length > 64) throw invalidInput("transactionPin", "must have at most 64 characters");
    await deps.identity.verifyCredentials({ userId, pin }, outgoing(call));
  }

  return draft;
}

function chargedOf({ amountMinor, interestThrough, payoffFeeMinor }: PayoffFigures) {
  return { amountMinor, interestThrough, payoffFeeMinor };
}
