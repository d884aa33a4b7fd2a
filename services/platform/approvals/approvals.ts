import type { Approval } from "../../../proto/gen/identity/v1/approvals.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { listed, type ApprovalChange } from "./approval-changes.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { moneyToWire, type Money } from "../../kernel/money.js";
import { isRefusalCode, Refusal, type RefusalCode } from "../../kernel/refusal.js";

export type { Approval };

/** What a person decides by two pairs of eyes; identity knows who may ask for which. */
export type ApprovalKind =
  | "REPAYMENT_VERIFICATION"
  | "REFUND"
  | "DISBURSEMENT"
  | "WRITE_OFF"
  | "REVERSAL"
  | "DECISION_OVERRIDE"
  | "PARTNER_CHANGE"
  | "LIMIT_CHANGE"
  | "CORRIDOR_CHANGE"
  | "CASH_IN"
  | "TILL_CLOSING"
  | "CASH_ORDER"
  | "VAULT_MOVEMENT"
  | "AGENT_CHANGE"
  | "AGENT_FLOAT"
  | "SCREENING_CONFIRMATION"
  | "SCREENING_RELEASE"
  | "RATE_CHANGE"
  | "PAYOUT_OUTCOME"
  | "SETTING_CHANGE"
  | "AMENDMENT"
  | "SETTLEMENT"
  | "JOURNAL"
  | "PERIOD_REOPENING";

export interface ApprovalRequest {
  idempotencyKey: string;
  kind: ApprovalKind;
  /** What it is about, such as "transaction:…". */
  subject: string;
  /** One line for whoever decides. */
  summary: string;
  /** Below the tenant's limit for the kind one person is enough. */
  amount?: Money;
  /** Why it is asked for. */
  reason: string;
  /**
   * All that carrying it out needs: the outcome may come before the asker's own next write. At most
   * 8 kB as JSON.
   */
  payload: Record<string, unknown>;
  /** The customer concerned: an AGENT asks for those they manage only. */
  customerId?: string;
  /** The user whom it concerns: it is not theirs to read or to decide. */
  concernedUserId?: string;
  /** What differs once it is approved, for whoever decides; identity is given the first hundred. */
  changes?: readonly ApprovalChange[];
  /** 60 to 2592000; 7 days where absent. */
  expiresInS?: number;
}

/** Which approval decides what was asked for, or why none ever will. */
export type NotedQuestion = { approvalId: string } | { refusedBecause: RefusalCode };

/** Asks for approvals. The user of the call is who asks; the service itself where there is none. */
export function createApprovals({ identity }: { identity: Pick<Client<IdentityServiceDefinition>, "askApproval"> }) {
  const approvals = {
    /**
     * Asks once per key. Refuses FORBIDDEN where this role may not ask for it. The answer may be
     * APPROVED already; it is carried out when identity tells of it, not by whoever asked.
     */
    async ask(call: OutgoingContext, requested: ApprovalRequest): Promise<Approval> {
      const {
        payload,
        amount,
        customerId = "",
        concernedUserId = "",
        expiresInS = 0,
        changes = [],
        ...rest
      } = requested;
      const { approval } = await identity.askApproval(
        {
          ...rest,
          customerId,
          concernedUserId,
          expiresInS,
          ...listed(changes),
          payloadJson: JSON.stringify(payload),
          amount: amount && moneyToWire(amount),
        },
        outgoing(call),
      );
      if (approval === undefined) throw new Error("identity answers without an approval");
      return approval;
    },

    /**
     * Asks as `ask` does, and has it noted what came of the question, also where identity refuses
     * to take it.
     */
    async askAndNote(
      call: OutgoingContext,
      requested: ApprovalRequest,
      note: (noted: NotedQuestion) => Promise<unknown>,
    ): Promise<Approval> {
      const approval = await approvals.ask(call, requested).catch(async (error: unknown) => {
        if (takesNoQuestion(error)) await note({ refusedBecause: error.code });
        throw error;
      });
      await note({ approvalId: approval.approvalId });
      return approval;
    },
  };
  return approvals;
}

/** Whether identity takes no such question: nobody will ever decide about it. */
function takesNoQuestion(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.code === "FORBIDDEN" || error.code === "INVALID_INPUT");
}

/**
 * What a repeat is refused with where nobody could be asked at the first try: its failure stands.
 */
export function stillRefused(failure: string): Refusal {
  const code = isRefusalCode(failure) ? failure : "STATE_CONFLICT";
  return new Refusal(code, "no approval could be asked for under this key: begin anew under another one");
}

export type Approvals = ReturnType<typeof createApprovals>;
