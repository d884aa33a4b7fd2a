import type { SubjectHold } from "./subject-hold.js";

export const partyRoles = ["SENDER", "RECIPIENT", "ACCOUNT_HOLDER"] as const;
export type PartyRole = (typeof partyRoles)[number];

/**
 * How it went to compare those of a transaction with lists, before
 * anything of the customer is known.
 */
export interface ScreeningRun {
  /** UNKNOWN: nobody said who is paid. PAYEE_STOPPED: of a customer who is paid into a wallet. */
  state: "DONE" | "UNAVAILABLE" | "UNKNOWN" | "PAYEE_STOPPED";
  /** basisOf. */
  basis: string;
  /** Those whom the question named. */
  parties: readonly PartyRole[];
  /** Of a remittance into a wallet: the customer whose it is. */
  walletOwner?: string;
}

/** What a decision rests on: kept with it, and small. */
export interface ScreeningSummary extends ScreeningRun {
  /** Hits of the customer and of who is paid; absent where there is none. */
  holds?: SubjectHold[];
}

/** Undefined where nobody was asked about and nothing is known. */
export function summaryOf(run: ScreeningRun | undefined, holds: readonly SubjectHold[]): ScreeningSummary | undefined {
  if (run === undefined && holds.length === 0) return undefined;
  const { state, basis, parties, walletOwner }: ScreeningRun = run ?? { state: "DONE", basis: "", parties: [] };
  const owner = walletOwner !== undefined && { walletOwner };
  return { state, basis, parties, ...owner, ...(holds.length > 0 && { holds: [...holds] }) };
}

export type ScreeningVerdict = "CLEAR" | "STOPPED" | "CONFIRMED" | "UNAVAILABLE" | "UNKNOWN";

/** What it comes to: a confirmed hit outweighs lists that are away, and those an open hit. */
export function verdictOf(summary: ScreeningSummary | undefined): ScreeningVerdict {
  if (summary === undefined) return "CLEAR";
  const { state, holds = [] } = summary;
  if (holds.some(({ status }) => status === "CONFIRMED")) return "CONFIRMED";
  if (state === "UNAVAILABLE") return "UNAVAILABLE";
  if (holds.length > 0 || state === "PAYEE_STOPPED") return "STOPPED";
  return state === "UNKNOWN" ? "UNKNOWN" : "CLEAR";
}
