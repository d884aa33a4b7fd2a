import { transferPage } from "./paths";

interface Posted {
  transferId: string;
  kind: string;
  description?: string | undefined;
}

/** What a transfer was posted for, by its key and the words that its service gave it. */
export type Source =
  | { of: "journal" | "settlement" | "positions" | "transfer"; to: string }
  | { of: "transaction"; to: string; code: string };

const transactionCode = /\bMN[0-9A-Z]{10}\b/;

/** Undefined for what has no page of its own. */
export function sourceOf({ transferId, kind, description = "" }: Posted): Source | undefined {
  const [prefix = "", id = ""] = transferId.split(":");
  const [code] = transactionCode.exec(description) ?? [];
  if (code !== undefined) return { of: "transaction", to: `/transactions?search=${code}`, code };
  if (prefix === "manual") return { of: "journal", to: `/journals/${id}` };
  if (prefix === "settlement" && kind.startsWith("settlement_")) return { of: "settlement", to: `/settlements/${id}` };
  if (prefix === "fx") return { of: "positions", to: "/positions" };
  if (transferId.endsWith(":reversal")) return { of: "transfer", to: transferPage(transferId.slice(0, -9)) };
  return undefined;
}
