import type { ClientSession } from "mongoose";

export type Session = ClientSession;

/** Ids that are unique in a tenant only, made unique in the collection. */
export function idIn(tenantId: string, ...parts: (string | number)[]): string {
  return [tenantId, ...parts].join(" ");
}

/** A page by id: what comes after the cursor. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string;
}
