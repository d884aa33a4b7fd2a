import { v7 as uuidv7 } from "uuid";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { PayoffLoanRequest, PayoffLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { BusinessTime } from "../../shared/clocks/business-clock.js";
import { actorOf, requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, type StoredAnswer } from "../../shared/idempotency/index.js";
import { formatMoney } from "../../shared/money.js";
import { invalidInput, isStoredAnswer, Refusal } from "../../shared/refusal.js";
import { checkActive, checkUnclaimed, type Loan } from "../domain/loan.js";
import { payoffAt } from "../domain/payoff-figure.js";
import type { Payoff, PayoffQuote } from "../domain/payoff.js";
import { comparableReference } from "../domain/repayment.js";
import { checkMove } from "../clients/moves.js";
import { minorOf, textOf, wordOf } from "../wire/parse.js";
import { payoffOperation, waitingAnswer } from "../sagas/payoff.js";
import { checkKey, render } from "./requests.js";
import type { LendingDeps } from "./deps.js";
import { visibleLoan } from "./loans.js";

type Rpcs = "getPayoffQuote" | "payoffLoan";

const methods = ["WALLET", "BANK_TRANSFER", "CARD"] as const;

export function payoffHandlers(deps: LendingDeps): Pick<Handlers<LendingServiceDefinition>, Rpcs> {
  const { store, businessClock, clock, payoffQuoteS, idempotency, payoffs } = deps;
  const goodUntil = (time: BusinessTime): Date => new Date(time.now().getTime() + payoffQuoteS * 1_000);

  return {
    async getPayoffQuote({ loanApplicationId }, call) {
      const loan = await visibleLoan(deps, loanApplicationId, call);
      checkActive(loan);
      const time = await businessClock.forTenant(call.tenantId);
      const on = time.today().toString();
      const quote: PayoffQuote = {
        quoteId: uuidv7(),
        accountId: loan.accountId,
        loanApplicationId: loan.loanApplicationId ?? "",
        currency: loan.currency,
        ...payoffAt(loan.terms, loan.events, on),
        on,
        eventCount: loan.events.length,
        validUntil: goodUntil(time),
      };
      await store.transaction(
        (session) =>
          store
            .forTenant(call.tenantId)
            .insertQuote(quote, session)
            .then(() => true),
        async () => undefined,
      );
      const { amountMinor, currency, ...rest } = quote;
      return { quote: { ...rest, amount: { amountMinor, currency }, businessDate: on } };
    },

    async payoffLoan(request, call): Promise<PayoffLoanResponse> {
      const { idempotencyKey: key } = request;
      checkKey(key);
      const method = wordOf(request.paymentMethod, methods, "paymentMethod");
      textOf(request.cardToken, "cardToken", { minimum: 0, maximum: 200 });
      const { tenantId } = call;
      const scope = { tenantId, caller: actorOf(call), operation: payoffOperation, key };
      const fingerprint = fingerprintOf(PayoffLoanRequest, request, ["idempotencyKey", "transactionPin"]);
      const claim = await idempotency.claim(scope, fingerprint, call);
      if (claim.kind === "replay") return render(PayoffLoanResponse, claim.answer);
      const { ticket } = claim;
      const time = await businessClock.forTenant(tenantId);
      const today = time.today().toString();
      const pass = { today, ...(call.deadline === undefined ? {} : { deadline: call.deadline }) };
      let answer: StoredAnswer;
      try {
        if (claim.kind === "resume") answer = await payoffs.drive(tenantId, claim.ownerId, pass);
        else {
          const { payoff, loan } = await draft(request, method, time, key, call);
          await payoffs.begin(tenantId, payoff, loan, ticket);
          answer = method === "WALLET" ? await payoffs.drive(tenantId, payoff.payoffId, pass) : waitingAnswer(payoff);
        }
      } catch (error) {
        if (!(error instanceof Refusal) || !isStoredAnswer(error) || claim.kind === "resume") {
          await idempotency.forget(ticket).catch(() => undefined);
          throw error;
        }
        const { code, message, details } = error;
        answer = { kind: "refusal", code, message, ...(details === undefined ? {} : { details }) };
        const refused = answer;
        await store.transaction(
          (session) => idempotency.completeAtOnce(ticket, refused, session).then(() => true),
          async () => ((await idempotency.answerOf(ticket)) === undefined ? undefined : true),
        );
      }
      await idempotency.settled(ticket, answer);
      return render(PayoffLoanResponse, answer);
    },
  };

  /** What is to be paid, and from where. */
  async function draft(
    request: PayoffLoanRequest,
    method: Payoff["method"],
    time: BusinessTime,
    key: string,
    call: Call,
  ) {
    const user = requireUser(call);
    const loan = await visibleLoan(deps, textOf(request.loanApplicationId, "loanApplicationId"), call);
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
    const cardToken = isStored ? await storedCardOf(customerId, call) : request.cardToken;
    await checkMove(deps.compliance, customerId, "MOVE_KIND_LOAN_PAYOFF", call);
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
      ...(method === "BANK_TRANSFER" ? { validUntil } : {}),
      status: "PENDING",
      caller: actorOf(call),
      idempotencyKey: key,
      interactionId: call.interactionId,
      createdBy: actorOf(call),
      createdAt: clock.now(),
    };
    return { payoff, loan };
  }

  /** Today's figure, or that of a quote that is still good. Refuses AMOUNT_MISMATCH naming what is due. */
  async function dueOf({ payoffAmount }: PayoffLoanRequest, loan: Loan, time: BusinessTime, call: Call) {
    const { currency, accountId, terms, events } = loan;
    const today = time.today().toString();
    const figures = payoffAt(terms, events, today);
    const asked = payoffAmount === "" ? figures.amountMinor : minorOf(payoffAmount, currency, "payoffAmount");
    const pick = ({ amountMinor, interestThrough, payoffFeeMinor }: typeof figures, on: string, validUntil: Date) => ({
      amountMinor,
      interestThrough,
      payoffFeeMinor,
      on,
      validUntil,
    });
    if (asked === figures.amountMinor) return pick(figures, today, goodUntil(time));
    const quote = await store.forTenant(call.tenantId).findQuote(accountId, time.now(), events.length);
    if (quote?.amountMinor === asked) return pick(quote, quote.on, quote.validUntil);
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

  async function storedCardOf(customerId: string, { tenantId, signal }: Call): Promise<string> {
    const found = await deps.cards.storedCard(customerId, { tenantId, signal });
    if (found !== undefined) return found;
    const others = methods.filter((method) => method !== "CARD").join(" or ");
    throw new Refusal("CARD_REFUSED", `no card is stored for the customer: give a cardToken, or pay by ${others}`);
  }

  /** Refuses PIN_REQUIRED, PIN_WRONG and PIN_LOCKED where the tenant or the customer wants a PIN. */
  async function checkPin(userId: string, pin: string, call: Call): Promise<void> {
    if (pin.length > 64) throw invalidInput("transactionPin", "must have at most 64 characters");
    await deps.identity.verifyCredentials({ userId, pin }, outgoing(call));
  }
}
