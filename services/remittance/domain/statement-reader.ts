/** How far a tenant's statement at the partner was read, and when it is read again. */
export interface StatementReader {
  tenantId: string;
  readTo: Date;
  dueAt: Date;
}
