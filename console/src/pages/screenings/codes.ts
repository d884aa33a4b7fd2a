import type { Tone } from "../../ui/badge";

/** As docs/screening.md has them. */
export const statuses = ["IN_REVIEW", "CONFIRMED_HIT", "NO_HIT", "ERROR"] as const;
export const triggers = ["REGISTERED", "CHANGED", "TRANSACTION", "LIST_UPDATED", "MANUAL", "RESCREENED"] as const;
export const listStatuses = ["ACTIVE", "WAITING", "LOADING", "FAILED", "SUPERSEDED"] as const;
export const exemptionStates = ["VALID", "OVER", "VOID", "ENDED"] as const;

export const listTones: Readonly<Record<string, Tone>> = {
  ACTIVE: "good",
  WAITING: "warn",
  LOADING: "accent",
  FAILED: "bad",
  SUPERSEDED: "neutral",
};
export const exemptionTones: Readonly<Record<string, Tone>> = {
  VALID: "accent",
  OVER: "neutral",
  VOID: "warn",
  ENDED: "neutral",
};
