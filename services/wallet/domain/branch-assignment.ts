/** Where a cashier or an agent works: their tills are filled from that vault, and go back to it. */
export interface BranchAssignment {
  /** User id. */
  readonly userId: string;
  /** Code of the branch; empty for the house. */
  readonly branch: string;
  /** User id; absent of whom nobody has assigned. */
  readonly assignedBy?: string;
  readonly assignedAt?: Date;
  /** Tills that were opened: whoever opens one and whoever assigns anew meet here. */
  readonly openings: bigint;
}
