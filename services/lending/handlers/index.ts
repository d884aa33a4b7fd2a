import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { acceptLoanOffer } from "./accept-loan-offer.js";
import { applicationHandlers } from "./applications.js";
import { applyForLoan } from "./apply-for-loan.js";
import { createLoanChanges } from "./change-loan.js";
import { chargeBackRepayment } from "./chargeback.js";
import { delinquencyHandlers } from "./delinquency.js";
import type { LendingDeps } from "./deps.js";
import { disburseLoan } from "./disburse-loan.js";
import { loanHandlers } from "./loans.js";
import { operationHandlers } from "./operations.js";
import { payBackOverpayment } from "./overpayment-refund.js";
import { payoffLoan } from "./payoff.js";
import { payoffQuote } from "./payoff-quote.js";
import { productHandlers } from "./products.js";
import { repayLoan } from "./repay-loan.js";
import { rescheduleLoan } from "./reschedule.js";
import { verificationHandlers } from "./verifications.js";
import { writeOffHandlers } from "./write-off.js";

export type { LendingDeps } from "./deps.js";

export function createLendingHandlers(deps: LendingDeps): Handlers<LendingServiceDefinition> {
  const changes = createLoanChanges(deps);
  return {
    ...productHandlers(deps),
    ...applyForLoan(deps),
    ...applicationHandlers(deps),
    ...acceptLoanOffer(deps),
    ...disburseLoan(deps),
    ...loanHandlers(deps),
    repayLoan: repayLoan(deps),
    ...verificationHandlers(deps),
    ...payoffQuote(deps),
    ...payoffLoan(deps),
    ...delinquencyHandlers(deps, changes),
    ...chargeBackRepayment(deps, changes),
    ...writeOffHandlers(deps, changes),
    ...rescheduleLoan(deps, changes),
    ...payBackOverpayment(deps),
    ...operationHandlers(deps),
  };
}
