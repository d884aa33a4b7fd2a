import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { offerHandlers } from "./accept-loan-offer.js";
import { applicationHandlers } from "./applications.js";
import { applyHandlers } from "./apply-for-loan.js";
import { chargebackHandlers } from "./chargeback.js";
import { delinquencyHandlers } from "./delinquency.js";
import type { LendingDeps } from "./deps.js";
import { disbursementHandlers } from "./disburse-loan.js";
import { loanHandlers } from "./loans.js";
import { operationHandlers } from "./operations.js";
import { overpaymentHandlers } from "./overpayment-refund.js";
import { payoffHandlers } from "./payoff.js";
import { productHandlers } from "./products.js";
import { repaymentHandlers } from "./repay-loan.js";
import { rescheduleHandlers } from "./reschedule.js";
import { verificationHandlers } from "./verifications.js";
import { writeOffHandlers } from "./write-off.js";

/** The rpcs of lending. */
export const lendingHandlers = (deps: LendingDeps): Handlers<LendingServiceDefinition> => ({
  ...productHandlers(deps),
  ...applyHandlers(deps),
  ...applicationHandlers(deps),
  ...offerHandlers(deps),
  ...disbursementHandlers(deps),
  ...loanHandlers(deps),
  ...repaymentHandlers(deps),
  ...verificationHandlers(deps),
  ...payoffHandlers(deps),
  ...delinquencyHandlers(deps),
  ...chargebackHandlers(deps),
  ...writeOffHandlers(deps),
  ...rescheduleHandlers(deps),
  ...overpaymentHandlers(deps),
  ...operationHandlers(deps),
});
