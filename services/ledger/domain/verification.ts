/**
 * What does not fit, and where: the first of a journal, then every account, volume and link of a
 * reversal that is not what the transfers say. One without a place is of the journal as a whole.
 */
export interface Fault {
  readonly seq?: bigint;
  readonly key?: string;
  readonly accountId?: string;
  readonly what: string;
}

/** So many are told of one journal. */
export const maxFaults = 100;

export type VerificationStatus = "RUNNING" | "PASSED" | "FAILED";

/** A verification that somebody asked for, as it is kept. */
export interface StoredVerification {
  readonly verificationId: string;
  readonly status: VerificationStatus;
  readonly startedAt: Date;
  /** User id. */
  readonly startedBy: string;
  readonly endedAt?: Date;
  /** 1 first. */
  readonly pass: number;
  /** Transfers up to here are checked in this pass. */
  readonly checkedSeq: bigint;
  /**
   * Where the pass ends, and the hash that the head had there; 0 and none before accounts are read.
   */
  readonly lastSeq: bigint;
  readonly headHash?: Uint8Array;
  readonly faults: readonly Fault[];
}
