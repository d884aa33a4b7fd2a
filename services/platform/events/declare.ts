import { z } from "zod";
import { JsonNumber } from "../../kernel/json.js";
import {
  agentSettlementData,
  amendedData,
  approvalData,
  customerData,
  dividendData,
  floatData,
  investmentData,
  loanApplicationData,
  loanData,
  overdueData,
  partnerData,
  paymentData,
  repaymentData,
  requirementData,
  settlementData,
  standingData,
  transactionData,
  walletData,
  walletEntryData,
  webhookEndpointData,
} from "./data.js";
import { isConfidential, subjectTypeOf, type EventType } from "./types.js";

/** What one type of event says. */
export interface Declaration<Schema extends z.ZodType = z.ZodType> {
  /** Of the event's `data`. */
  readonly schema: Schema;
  /** Raised by a change that a reader of the one before would not understand. */
  readonly version: number;
  /** One line for the documentation. */
  readonly summary: string;
}

const of = <Schema extends z.ZodType>(schema: Schema, summary: string): Declaration<Schema> => ({
  schema,
  version: 1,
  summary,
});

/** One declaration each: payloads, the documentation and what PublishEvents takes come from it. */
export const declarations = {
  "transaction.created": of(transactionData, "A transaction was created and waits for its payment, or for a review"),
  "transaction.approved": of(transactionData, "A review ended well; it waits for its payment"),
  "transaction.paid": of(transactionData, "It was paid"),
  "transaction.processing": of(transactionData, "The payout was handed to the partner"),
  "transaction.ready_for_pickup": of(transactionData, "The recipient can pick the cash up"),
  "transaction.completed": of(transactionData, "The recipient has the money"),
  "transaction.failed": of(transactionData, "The payout was refused; the money goes back"),
  "transaction.returned": of(transactionData, "The recipient's bank sent a payout back"),
  "transaction.refunded": of(transactionData, "Money went back to the sender"),
  "transaction.cancelled": of(transactionData, "It was cancelled"),
  "transaction.expired": of(transactionData, "Nobody paid for it in time"),
  "transaction.rejected": of(transactionData, "It was refused before its payment"),
  "transaction.amended": of(amendedData, "Who is paid is named otherwise; the names are read where it is"),
  "payment.succeeded": of(paymentData, "A payable was paid from a wallet"),
  "payment.failed": of(paymentData, "A payment from a wallet did not come about"),
  "payment.refunded": of(paymentData, "A payment went back, or a part of it"),
  "wallet.credited": of(walletEntryData, "Money came into a wallet"),
  "wallet.debited": of(walletEntryData, "Money left a wallet"),
  "wallet.frozen": of(walletData, "An account takes and gives nothing"),
  "customer.registered": of(customerData, "Somebody became a customer"),
  "customer.confirmed": of(standingData, "A customer fulfils what confirmation needs"),
  "customer.blocked": of(standingData, "A customer was blocked"),
  "requirement.outstanding": of(requirementData, "Something must be known of a customer"),
  "requirement.fulfilled": of(requirementData, "It is known"),
  "requirement.expired": of(requirementData, "It must be shown anew"),
  "loan.approved": of(loanApplicationData, "A loan application was approved"),
  "loan.disbursed": of(loanData, "The borrower has the money"),
  "loan.repayment_verified": of(repaymentData, "A repayment was verified and booked"),
  "loan.repayment_rejected": of(repaymentData, "A reported repayment was not found"),
  "loan.repayment_overdue": of(overdueData, "The due date of an instalment has passed unpaid"),
  "loan.paid_off": of(loanData, "Nothing is owed any more"),
  "investment.accepted": of(investmentData, "An application became a holding"),
  "investment.matured": of(investmentData, "A holding reached its end"),
  "investment.redeemed": of(investmentData, "Units were given back for money"),
  "investment.dividend_paid": of(dividendData, "A dividend was paid"),
  "approval.asked": of(approvalData, "Somebody asked for a second person's decision"),
  "approval.decided": of(approvalData, "It was decided, or its time passed"),
  "settlement.posted": of(settlementData, "What the organisation and another side paid each other is in the books"),
  "settlement.refused": of(settlementData, "A settlement that was proposed is over, and nothing was posted"),
  "settlement.reversed": of(settlementData, "What a settlement had posted is taken back"),
  "agent_settlement.closed": of(agentSettlementData, "What an agent and the organisation owe each other is counted"),
  "agent_settlement.approved": of(agentSettlementData, "A second manager has approved it"),
  "agent_settlement.disputed": of(agentSettlementData, "Somebody says what is wrong with it"),
  "agent_settlement.paid": of(agentSettlementData, "It is booked to the agent's account"),
  "partner.balance_low": of(partnerData, "Less is available at a partner than its alarm says"),
  "partner.balance_restored": of(partnerData, "As much is available again"),
  "agent.float_low": of(floatData, "Of what an agent may use, so much is used as their alarm says"),
  "webhook_endpoint.test": of(webhookEndpointData, "Sent by send-test to one endpoint"),
} as const satisfies Record<EventType, Declaration>;

/** `data` of a type, as whoever tells it hands it in. */
export type EventData<Type extends EventType> = z.input<(typeof declarations)[Type]["schema"]>;

/** An event as it is read and sent: the schema of the whole body. */
export function bodySchema(type: EventType): z.ZodObject {
  const { schema, version } = declarations[type];
  return z.object({
    id: z.string().meta({ format: "uuid", description: "The same at every try: process it once." }),
    type: z.literal(type),
    version: z.literal(version),
    timestamp: z.string().meta({ format: "date-time", description: "When it happened." }),
    subject: z.object({ type: z.literal(subjectTypeOf(type)), id: z.string() }),
    sequence: z.number().int().min(1).meta({ description: "1, 2, 3… of the subject, without gaps." }),
    interactionId: z.string(),
    data: schema,
  });
}

/** What is wrong with `data`, in words; undefined where nothing is. For tests of publishers. */
export function faultOfData(type: EventType, data: unknown): string | undefined {
  const { schema } = declarations[type];
  const { error } = schema.safeParse(data);
  if (error === undefined) return undefined;
  const again = schema.safeParse(withPlainNumbers(data, error.issues));
  return again.error && z.prettifyError(again.error);
}

/**
 * What was read from text has its numbers as they were written: those
 * that are to be plain are made so.
 */
function withPlainNumbers(data: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const plain = new Map(
    issues.map((one): [string, string] => [one.path.join("."), one.code === "invalid_type" ? one.expected : ""]),
  );
  const made = (value: unknown, path: string): unknown => {
    if (value instanceof JsonNumber) {
      if (plain.get(path) === "bigint") return BigInt(value.text);
      return plain.has(path) ? Number(value.text) : value;
    }
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, part]): [string, unknown] => {
      return [name, made(part, path === "" ? name : `${path}.${name}`)];
    });
    return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
  };
  return made(data, "");
}

export interface DocumentedType {
  type: EventType;
  summary: string;
  version: number;
  isConfidential: boolean;
}

/** All of them, for whoever chooses. */
export function documentedTypes(): DocumentedType[] {
  return (Object.keys(declarations) as EventType[]).map((type) => {
    const { summary, version } = declarations[type];
    return { type, summary, version, isConfidential: isConfidential(type) };
  });
}
