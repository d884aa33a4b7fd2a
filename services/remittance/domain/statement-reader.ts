/** How far a tenant's statement at the partner was read, and when it is read again. */
export interface StatementReader {
  /** Of the tenant's own partner; the operator's default where absent. */
  installationId?: string;
  tenantId: string;
  readTo: Date;
  dueAt: Date;
}

/** A tenant's own partner, from its first test until it is gone. */
export interface WatchedInstallation extends StatementReader {
  installationId: string;
  /** Whether anything was settled there, so that its statement is read. */
  hasPayouts: boolean;
  /** When it was first seen to be on its way out. */
  removingAt?: Date;
}
