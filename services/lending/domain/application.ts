import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { LoanRequest } from "./product.js";

export type ApplicationStatus = "SUBMITTED" | "APPROVED" | "REJECTED" | "WITHDRAWN";

export interface Disbursement {
  /** RETURNED: the bank had paid it and sent it back; the loan is cancelled. */
  readonly status: "WAITING_FOR_APPROVAL" | "PAYING" | "DONE" | "FAILED" | "RETURNED";
  readonly attempt: number;
  readonly startsOn?: string;
  readonly failure?: string;
  /**
   * Of one that goes to a bank account: the tenant's own bank that pays
   * it; the operator's where absent.
   */
  readonly partner?: OwnPartner;
  readonly askedBy: string;
}

export type PayTo =
  | { readonly kind: "WALLET"; readonly walletAccountId: string }
  | { readonly kind: "BANK"; readonly bankAccountId: string };

export interface Application {
  readonly loanApplicationId: string;
  readonly customerId: string;
  readonly productId: string;
  readonly productVersion: number;
  readonly asked: LoanRequest;
  readonly purpose: string;
  readonly incomeMinor: bigint;
  readonly obligationsMinor: bigint;
  readonly status: ApplicationStatus;
  readonly reasonCode: string;
  readonly reason: string;
  readonly outstandingRequirements: readonly string[];
  /** Real time at which compliance is asked again, while it has not decided. */
  readonly askAgainAt?: Date;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  readonly acceptedAt?: Date;
  readonly payTo?: PayTo;
  readonly accountId?: string;
  readonly disbursement?: Disbursement;
  readonly version: number;
}

/** SUBMITTED → APPROVED | REJECTED by a person. Refuses STATE_CONFLICT. */
export function decide(application: Application, approve: boolean, reason: string, at: Date): Application {
  if (application.status !== "SUBMITTED") throw conflict(application);
  const { askAgainAt: _askAgainAt, ...rest } = application;
  const decided = { ...rest, decidedAt: at, reason, version: application.version + 1 };
  return approve
    ? { ...decided, status: "APPROVED", reasonCode: "" }
    : { ...decided, status: "REJECTED", reasonCode: "STAFF" };
}

/** An approved offer is taken, once. Refuses STATE_CONFLICT. */
export function accept(application: Application, payTo: PayTo, accountId: string, at: Date): Application {
  if (application.status !== "APPROVED" || application.accountId !== undefined) throw conflict(application);
  return { ...application, payTo, accountId, acceptedAt: at, version: application.version + 1 };
}

/** Until the money is on its way. Refuses STATE_CONFLICT. */
export function withdraw(application: Application): Application {
  const isOnItsWay = application.disbursement?.status === "PAYING" || application.disbursement?.status === "DONE";
  if (isOnItsWay || (application.status !== "SUBMITTED" && application.status !== "APPROVED"))
    throw conflict(application);
  const { askAgainAt: _askAgainAt, ...rest } = application;
  return { ...rest, status: "WITHDRAWN", version: application.version + 1 };
}

/** An accepted offer's disbursement waits for a second person. Refuses STATE_CONFLICT. */
export function requestDisbursement(application: Application, requestedBy: string): Application {
  const { disbursement } = application;
  const isOpen = disbursement !== undefined && disbursement.status !== "FAILED";
  if (application.status !== "APPROVED" || application.accountId === undefined || isOpen) throw conflict(application);
  const attempt = (disbursement?.attempt ?? 0) + 1;
  return {
    ...application,
    disbursement: { status: "WAITING_FOR_APPROVAL", attempt, askedBy: requestedBy },
    version: application.version + 1,
  };
}

/**
 * STATE_CONFLICT on the first due date that was asked for and after it: interest of a loan that
 * began then would run backwards.
 */
export function pastFirstDue({ asked: { firstDueOn } }: Application, today: string): Refusal | undefined {
  if (firstDueOn === undefined || firstDueOn > today) return undefined;
  return new Refusal("STATE_CONFLICT", `the first due date of the offer, ${firstDueOn}, has come: apply anew`);
}

function conflict({ status, disbursement }: Application): Refusal {
  const paid = disbursement === undefined ? "" : `, its disbursement ${disbursement.status}`;
  const message = `the application is ${status}${paid}`;
  return disbursement?.status === "PAYING"
    ? passing("STATE_CONFLICT", message)
    : new Refusal("STATE_CONFLICT", message);
}
