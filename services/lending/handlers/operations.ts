import { v7 as uuidv7 } from "uuid";
import {
  ImportLoanRequest,
  ImportLoanResponse,
  type LendingServiceDefinition,
} from "../../../proto/gen/lending/v1/lending.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { lendingAccount } from "../domain/books.js";
import { plainWeek } from "../domain/calendar.js";
import type { LoanEvent } from "../domain/events.js";
import type { Loan } from "../domain/loan.js";
import { newLoan } from "../domain/new-loan.js";
import { requestedTerms, type Product } from "../domain/product.js";
import { causeOf } from "./change-loan.js";
import { dateOf, minorOf } from "../wire/parse.js";
import { loanToWire } from "../wire/loans.js";
import type { LendingDeps } from "./deps.js";

const maxImported = 1_000;

export function operationHandlers(deps: LendingDeps) {
  const { store, book, runOnce, people, reconciliation, businessClock, clock } = deps;
  return {
    async importLoan(request, call) {
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        call,
        operation: "lending.v1.ImportLoan",
        request,
        requestType: ImportLoanRequest,
        response: ImportLoanResponse,
        async prepare() {
          textFromWire(request.loanApplicationId, "loanApplicationId", { minimum: 0 });
          await people.find({ customerId: textFromWire(request.customerId, "customerId") }, call);
          const product = await tenant.findProduct(request.productId);
          if (product === undefined) throw new Refusal("LOAN_PRODUCT_NOT_FOUND", "no such loan product");
          const today = (await businessClock.forTenant(call.tenantId)).today().toString();
          const calendar = (await tenant.findCalendar()) ?? plainWeek;
          const loan = importedLoan(request, product, calendar, today, clock.now());
          for (const minor of amountsOf(loan)) await deps.ceilings.check(call, { minor, currency: loan.currency });
          return { loan, today };
        },
        async work(session, { loan, today }) {
          const cause = causeOf(call, "loan_import", `Loan ${loan.reference} taken over`);
          const opened = await book.open(call.tenantId, loan, today, cause, session);
          return { loan: loanToWire(opened.loan, today, { withSchedule: true }) };
        },
        after: async ({ loan }) => book.carryOut(call.tenantId, loan?.accountId ?? ""),
      });
    },

    async reconcileLoans(_request, call: Call) {
      const { loans, accounts, openPostings, differences } = await reconciliation.compare(
        call.tenantId,
        call.interactionId,
      );
      return {
        loans: BigInt(loans),
        accounts: BigInt(accounts),
        openPostings: BigInt(openPostings),
        differences: differences.map(({ accountId, currency, loansMinor, ledgerMinor }) => ({
          accountId,
          loans: { amountMinor: loansMinor, currency },
          ledger: { amountMinor: ledgerMinor, currency },
        })),
      };
    },

    async getAccrualProgress(_request, call) {
      const ranges = await store.forTenant(call.tenantId).latestRanges();
      const done = ranges.filter(({ isDone }) => isDone);
      const startedAt = ranges.map((range) => range.startedAt).toSorted((a, b) => a.getTime() - b.getTime())[0];
      const isFinished = ranges.length > 0 && done.length === ranges.length;
      const finishedAt = done
        .flatMap((range) => range.finishedAt ?? [])
        .toSorted((a, b) => b.getTime() - a.getTime())[0];
      return {
        date: ranges[0]?.date ?? "",
        loansDone: BigInt(ranges.reduce((sum, { loans }) => sum + loans, 0)),
        rangesDone: done.length,
        ranges: ranges.length,
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(isFinished && finishedAt !== undefined ? { finishedAt } : {}),
      };
    },
  } satisfies Partial<Handlers<LendingServiceDefinition>>;
}

/** What was lent, and each repayment, minor units. */
function amountsOf({ disbursement, events }: Loan): bigint[] {
  return [...disbursement, ...events].flatMap((one) => ("amountMinor" in one ? [one.amountMinor] : []));
}

/** A loan of the system before: what was lent and paid there comes out of the opening balances. */
function importedLoan(
  request: ImportLoanRequest,
  product: Product,
  calendar: typeof plainWeek,
  today: string,
  createdAt: Date,
): Loan {
  const { currency } = product;
  const startsOn = dateOf(request.disbursedOn, "disbursedOn");
  if (startsOn > today) throw invalidInput("disbursedOn", "must not be in the future");
  const requested = {
    principalMinor: minorOf(request.amount, currency, "amount"),
    instalments: request.instalments,
    startsOn,
  };
  const terms = requestedTerms(product, requested, calendar);
  const opening = lendingAccount("opening", currency);
  if (request.repayments.length > maxImported) throw invalidInput("repayments", `must be at most ${maxImported}`);
  const events = request.repayments.map(({ paidOn, amount }, index): LoanEvent => {
    const on = dateOf(paidOn, `repayments.${index}.paidOn`);
    if (on < startsOn || on > today)
      throw invalidInput(`repayments.${index}.paidOn`, "must be after the loan began and not in the future");
    const amountMinor = minorOf(amount, currency, `repayments.${index}.amount`);
    return { type: "REPAYMENT", id: `import:${index + 1}`, on, amountMinor, sourceAccountId: opening };
  });
  const { customerId, loanApplicationId } = request;
  const about = { accountId: uuidv7(), customerId, createdAt, ...(loanApplicationId !== "" && { loanApplicationId }) };
  return {
    ...newLoan(product, terms, about),
    status: "ACTIVE",
    disbursedOn: startsOn,
    disbursement: [{ accountId: opening, amountMinor: requested.principalMinor }],
    events,
    accrual: { through: startsOn, accruedMinor: 0n },
    version: 0,
  };
}
