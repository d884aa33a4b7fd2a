import type { LendingServiceDefinition } from "../../../proto/gen/lending/v1/lending.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import { applicationHandlers } from "./applications.js";
import type { LendingDeps } from "./deps.js";
import { disburseLoan } from "./disburse-loan.js";
import { loanHandlers } from "./loans.js";
import { operationHandlers } from "./operations.js";
import { payBackOverpayment } from "./payback.js";
import { payoffHandlers } from "./payoff.js";
import { productHandlers } from "./products.js";
import { repayLoan } from "./repay-loan.js";
import { servicingHandlers } from "./servicing.js";
import { verificationHandlers } from "./verifications.js";

export type { LendingDeps } from "./deps.js";

const byEverybody = {
  callers: ["gateway"],
  user: "required",
  roles: ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"],
} as const;
const byCustomers = { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] } as const;
const byManagers = { callers: ["gateway"], user: "required", roles: ["MANAGER"] } as const;
const bySeers = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] } as const;
const byApprovers = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] } as const;
const byStaff = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] } as const;
const byOperators = { callers: ["operator"] } as const;

export const lendingAccess = {
  putLoanProduct: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listLoanProducts: byEverybody,
  putHolidayCalendar: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getHolidayCalendar: byManagers,
  quoteLoan: byEverybody,
  applyForLoan: byCustomers,
  getLoanApplication: bySeers,
  listLoanApplications: bySeers,
  decideLoanApplication: byApprovers,
  acceptLoanOffer: byCustomers,
  withdrawLoanApplication: byCustomers,
  disburseLoan: byApprovers,
  getLoan: bySeers,
  listLoanHistory: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  getRepaymentInstructions: byCustomers,
  repayLoan: byCustomers,
  listRepaidTransactions: bySeers,
  listPendingRepayments: byStaff,
  askRepaymentVerification: byStaff,
  forceRepaymentOutcome: byManagers,
  listSuspense: byStaff,
  getPayoffQuote: byCustomers,
  payoffLoan: byCustomers,
  pauseDelinquency: byManagers,
  resumeDelinquency: byManagers,
  chargeBackRepayment: byManagers,
  writeOffLoan: byManagers,
  recordRecovery: byManagers,
  rescheduleLoan: byManagers,
  payBackOverpayment: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER"] },
  importLoan: byOperators,
  reconcileLoans: byOperators,
  getAccrualProgress: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
} as const satisfies Access<LendingServiceDefinition>;

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
