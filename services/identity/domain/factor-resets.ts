export type FactorResetState = "ASKED" | "WAITING" | "DONE" | "STOPPED" | "REFUSED";

/** Somebody's second factors are to be taken away. */
export interface FactorResetRecord {
  resetId: string;
  userId: string;
  state: FactorResetState;
  /** While it is ASKED or WAITING. */
  open?: true;
  askedBy: string;
  reason: string;
  askedAt: Date;
  /** Absent where the operator asked. */
  approvalId?: string;
  dueAt?: Date;
}
