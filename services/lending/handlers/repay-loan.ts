import { v7 as uuidv7 } from "uuid";
import { RepayLoanRequest, RepayLoanResponse } from "../../../proto/gen/lending/v1/repayment.js";
import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseSignedMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import type { Loan } from "../domain/loan.js";
import { checkRepayable, comparableReference, type Repayment } from "../domain/repayment.js";
import { dayOf } from "../wire/parse.js";
import { repaymentToWire } from "../wire/loans.js";
import { rowKinds } from "../row-kinds.js";
import type { LendingDeps } from "./deps.js";

/**
 * Records a bank transfer that a customer has made, in the order of refusals that was decided:
 * UNAUTHORIZED, LOAN_NOT_FOUND, MISSING_LOAN_APPLICATION, LOAN_CLOSED,
 * MANUAL_REPAYMENT_NOT_ALLOWED, INVALID_AMOUNT, AMOUNT_ABOVE_CEILING, BANK_ACCOUNT_MISMATCH.
 * Nothing moves until the bank or two people verify it.
 */
export function repaymentHandlers(deps: LendingDeps) {
  const { store, book, runOnce, outbox, clock } = deps;
  return {
    async repayLoan(request, call) {
      checkTexts(request);
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.RepayLoan",
        request,
        requestType: RepayLoanRequest,
        response: RepayLoanResponse,
        prepare: () => check(deps, request, call),
        async work(session, { repayment }) {
          const loan = await tenant.findLoan(repayment.accountId, session);
          if (loan === undefined) throw new Refusal("LOAN_NOT_FOUND", "no active loan of this customer");
          // Others may have repaid since it was looked at: the loan's own document decides.
          checkRepayable(loan, repayment.amountMinor);
          await book.note(call.tenantId, { ...loan, pendingMinor: loan.pendingMinor + repayment.amountMinor }, session);
          await tenant.insertRepayment(repayment, session);
          if (repayment.isMatchable) {
            const { repaymentId } = repayment;
            const row = {
              tenantId: call.tenantId,
              aggregate: `repayment:${repaymentId}`,
              seq: 1,
              kind: rowKinds.matchRepayment,
            };
            const payload = { repaymentId };
            await outbox.add({ ...row, payload, interactionId: call.interactionId, actor: actorOf(call) }, session);
          }
          return { repayment: repaymentToWire(repayment) };
        },
        async after() {
          outbox.wake();
        },
      });

      async function check(
        { people, wallet, ceilings, moves, businessClock }: LendingDeps,
        requested: RepayLoanRequest,
        from: Call,
      ) {
        const user = requireUser(from);
        const { customerId } = user;
        if (customerId === undefined || requested.userId !== user.userId || requested.customerId !== customerId) {
          throw new Refusal("UNAUTHORIZED", "userId and customerId must be those of the authenticated user");
        }
        const loan = await tenant.findLoan(requested.accountId);
        if (loan?.customerId !== customerId) throw new Refusal("LOAN_NOT_FOUND", "no active loan of this customer");
        const amountMinor = parseSignedMoney(requested.repaymentAmount, loan.currency, "repaymentAmount").minor;
        checkRepayable(loan, amountMinor);
        await ceilings.check(from, { minor: amountMinor, currency: loan.currency });
        await checkBankAccount(wallet, requested.bankAccountId, loan, from);
        const time = await businessClock.forTenant(from.tenantId);
        const today = time.today().toString();
        const paidOn = dayOf(requested.paymentDate, "paymentDate", today, time.timeZone);
        if (paidOn > today) throw new Refusal("PAYMENT_DATE_IN_FUTURE", "paymentDate is in the future");
        if (paidOn < (loan.disbursedOn ?? today)) {
          throw new Refusal("PAYMENT_DATE_BEFORE_LOAN", "paymentDate is before the loan was paid out");
        }
        await moves.assertPasses({ customerId, kind: "LOAN_REPAYMENT" }, from);
        const customer = await people.find({ customerId }, from);
        const name = `${customer.firstName} ${customer.lastName}`.trim();
        return {
          repayment: repaymentOf(requested, loan, {
            amountMinor,
            paidOn,
            name,
            email: customer.email,
            at: clock.now(),
          }),
        };
      }
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

function checkTexts({ userId, customerId, accountId, bankAccountId, ...rest }: RepayLoanRequest): void {
  textFromWire(userId, "userId");
  textFromWire(customerId, "customerId");
  textFromWire(accountId, "accountId");
  textFromWire(bankAccountId, "bankAccountId");
  textFromWire(rest.repaymentAmount, "repaymentAmount", { maximum: 64 });
  textFromWire(rest.repaymentReference, "repaymentReference", { minimum: 0 });
  textFromWire(rest.paymentNarration, "paymentNarration", { minimum: 0, maximum: 200 });
  // Its form alone: which day it is in the tenant's time zone is asked when the loan is known.
  dayOf(rest.paymentDate, "paymentDate", "", "UTC");
}

/** Refuses BANK_ACCOUNT_MISMATCH for an account that is not the customer's. */
async function checkBankAccount(
  wallet: LendingDeps["wallet"],
  bankAccountId: string,
  { customerId }: Loan,
  call: Call,
) {
  const mismatch = () => new Refusal("BANK_ACCOUNT_MISMATCH", "the bank account is not the customer's");
  const { account } = await wallet
    .getBankAccount({ bankAccountId, customerId }, outgoing(call))
    .catch((error: unknown) => {
      throw error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN") ? mismatch() : error;
    });
  if (account === undefined || account.status === "REMOVED") throw mismatch();
}

interface Seen {
  amountMinor: bigint;
  paidOn: string;
  name: string;
  email: string;
  at: Date;
}

function repaymentOf(request: RepayLoanRequest, loan: Loan, { amountMinor, paidOn, name, email, at }: Seen): Repayment {
  const reference = request.repaymentReference === "" ? loan.reference : request.repaymentReference;
  const matchReference = comparableReference(reference);
  return {
    repaymentId: uuidv7(),
    loanApplicationId: loan.loanApplicationId ?? "",
    accountId: loan.accountId,
    customerId: loan.customerId,
    amountMinor,
    currency: loan.currency,
    status: "PENDING_VERIFICATION",
    method: "BANK_TRANSFER",
    reference,
    isMatchable: matchReference === comparableReference(loan.reference),
    matchReference,
    paidOn,
    narration: request.paymentNarration,
    customerName: name,
    email,
    productName: loan.productName,
    reason: "",
    createdAt: at,
  };
}
