import { z } from "zod";
import { Approval } from "./shapes/approval-shape.js";
import { customerStatuses, CustomerStanding, Requirement } from "./shapes/customer-compliance-shape.js";
import { Investment } from "./shapes/investment-shape.js";
import { Application, Instalment, Loan } from "./shapes/loan-shape.js";
import { StoredPayment } from "./shapes/payment-shape.js";
import { AgentSettlement } from "./shapes/agent-settlement-shape.js";
import { Settlement } from "./shapes/settlement-shape.js";
import { RepaidTransaction } from "./shapes/repayment-shape.js";
import { decimalText, instant } from "./shapes/schema.js";
import { StatementEntry } from "./shapes/statement-shape.js";
import { StoredTransaction } from "./shapes/transaction-shape.js";

// The members have the names that the API gives them: gateway/operations says what each means.
/** A transaction as its owner's GET answers it. */
export const transactionData = StoredTransaction;

/** That a transaction's names are others. They are read with it: no event has them. */
export const amendedData = z
  .object({ transactionId: z.string(), transactionCode: z.string(), amendmentId: z.string(), amendedAt: instant })
  .meta({ id: "TransactionAmended" });

/** A payment as its owner's GET answers it. */
export const paymentData = StoredPayment;

export const walletData = z.object({
  accountId: z.string(),
  accountNumber: z.string(),
  currency: z.string(),
  status: z.string(),
});

/** An entry of a wallet's statement, as its owner reads it. */
export const walletEntryData = StatementEntry.extend({ accountId: z.string(), accountNumber: z.string() }).meta({
  id: "WalletEntry",
});

/** Who became a customer. What else is known of them is read where their details are kept. */
export const customerData = z.object({
  customerId: z.string(),
  customerCode: z.string(),
  country: z.string(),
  agentId: z.string().optional().meta({ description: "The AGENT who manages them." }),
  status: z.enum(customerStatuses),
  createdAt: instant,
});

/** Where a customer stands, as they read it themselves. */
export const standingData = CustomerStanding;

/** What a customer must show, as they read it. */
export const requirementData = Requirement.extend({ customerId: z.string() }).meta({ id: "CustomerRequirement" });

/** A loan application as its owner's GET answers it. */
export const loanApplicationData = Application;

/** A loan as its owner's GET answers it; what was paid back of it is read there. */
export const loanData = Loan.omit({ paybacks: true }).meta({ id: "ToldLoan" });

/**
 * A loan as its owner's GET answers it, with the instalment that was not
 * paid in place of the schedule.
 */
export const overdueData = Loan.omit({ paybacks: true, schedule: true })
  .extend({ instalment: Instalment })
  .meta({ id: "OverdueLoan" });

/** A repayment as its owner reads it. */
export const repaymentData = RepaidTransaction;

/** What a customer holds, as they read it. */
export const investmentData = Investment;

/** With what a dividend brought it. */
export const dividendData = Investment.extend({
  dividend: z.object({
    dividendId: z.string(),
    amount: decimalText,
    tax: decimalText.meta({ description: "Withheld from the amount." }),
    currency: z.string(),
  }),
}).meta({ id: "InvestmentDividendPaid" });

/** What waits for a second person, as managers read it. */
export const approvalData = Approval.omit({
  askedBecause: true,
  decidedBecause: true,
  changes: true,
  moreChanges: true,
}).meta({ id: "ToldApproval" });

/** A settlement as managers read it. */
export const settlementData = Settlement;

/** A settlement of an agent as managers and the agent read it. */
export const agentSettlementData = AgentSettlement;

/** What a partner's account holds, as it was when that fell below its alarm or was over. */
export const partnerData = z
  .object({
    accountId: z.string(),
    code: z.string(),
    partner: z
      .string()
      .meta({ description: "Id of the installation, operator for the operator's, or a biller's code." }),
    name: z.string().meta({ description: "Of the account." }),
    currency: z.string(),
    available: decimalText.meta({
      description: "As far as it is in the books: without payouts that are on their way.",
    }),
    below: decimalText.meta({ description: "Of the alarm." }),
  })
  .meta({ id: "PartnerBalanceTold" });

/** What an agent's account had when its alarm was told. */
export const floatData = z
  .object({
    agentId: z.string().meta({ description: "User id." }),
    currency: z.string(),
    balance: decimalText.meta({ description: "Below zero, so much of the credit line is used." }),
    creditLine: decimalText,
    available: decimalText.meta({ description: "Balance and credit line." }),
    alarmShare: z.int().meta({ description: "Percent of what may be used." }),
  })
  .meta({ id: "AgentFloatTold" });

export const webhookEndpointData = z.object({ endpointId: z.string(), url: z.string() });
