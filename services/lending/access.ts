import type { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import type { Access } from "../kernel/grpc/server.js";

const byEverybody = {
  callers: ["gateway"],
  user: "required",
  roles: ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"],
} as const;
const byCustomers = { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] } as const;
const byManagers = { callers: ["gateway"], user: "required", roles: ["MANAGER"] } as const;
const byWhoeverSeesLoans = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CUSTOMER"] } as const;
const byApprovers = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT"] } as const;
const byStaff = { callers: ["gateway"], user: "required", roles: ["MANAGER", "AGENT", "CASHIER"] } as const;
const byOperators = { callers: ["operator"] } as const;

/** Who may call what. What of it a user may see is decided in the handlers. */
export const access = {
  putLoanProduct: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  listLoanProducts: byEverybody,
  putHolidayCalendar: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER"] },
  getHolidayCalendar: byManagers,
  quoteLoan: byEverybody,
  applyForLoan: byCustomers,
  getLoanApplication: byWhoeverSeesLoans,
  listLoanApplications: byWhoeverSeesLoans,
  decideLoanApplication: byApprovers,
  acceptLoanOffer: byCustomers,
  withdrawLoanApplication: byCustomers,
  disburseLoan: byApprovers,
  getLoan: byWhoeverSeesLoans,
  listLoanHistory: { callers: ["gateway", "operator"], user: "optional", roles: ["MANAGER", "AGENT", "CUSTOMER"] },
  getRepaymentInstructions: byCustomers,
  repayLoan: byCustomers,
  listRepaidTransactions: byWhoeverSeesLoans,
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
