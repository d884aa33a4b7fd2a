import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { applicationHandlers } from "./applications.js";
import type { LendingDeps } from "./deps.js";
import { disburseLoan } from "./disburse-loan.js";
import { loanHandlers } from "./loans.js";
import { operationHandlers } from "./operations.js";
import { payBackOverpayment } from "./overpayment-refund.js";
import { payoffHandlers } from "./payoff.js";
import { productHandlers } from "./products.js";
import { repayLoan } from "./repay-loan.js";
import { servicingHandlers } from "./servicing.js";
import { verificationHandlers } from "./verifications.js";

export type { LendingDeps } from "./deps.js";

export function createLendingHandlers(deps: LendingDeps): Handlers<LendingServiceDefinition> {
  return {
    ...productHandlers(deps),
    ...applicationHandlers(deps),
    ...disburseLoan(deps),
    ...loanHandlers(deps),
    repayLoan: repayLoan(deps),
    ...verificationHandlers(deps),
    ...payoffHandlers(deps),
    ...servicingHandlers(deps),
    ...payBackOverpayment(deps),
    ...operationHandlers(deps),
  };
}
