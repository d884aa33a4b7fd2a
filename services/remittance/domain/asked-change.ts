import { createHash } from "node:crypto";

/** A change of settings that waits for a second person; it holds as a whole or not at all. */
export interface AskedChange {
  changeId: string;
  /** Of who asks for what: the same question again is the same change. */
  fingerprint: string;
  /** STALE: approved, but what it changes was changed meanwhile. */
  status: "ASKED" | "APPROVED" | "REFUSED" | "EXPIRED" | "STALE";
  askedBy: string;
  askedAt: Date;
  /** Absent until identity has the question. */
  approvalId?: string;
  decidedBy?: string;
}

export function fingerprintOfChange(requestedBy: string, content: unknown): string {
  const text = JSON.stringify([requestedBy, content], (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return createHash("sha256").update(text).digest("hex");
}
