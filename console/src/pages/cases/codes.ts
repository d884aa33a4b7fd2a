import type { Tone } from "../../ui/badge";

/** No event tells that a case has changed, since nobody but officers may know of one. */
export const pollMs = 15_000;

/** As docs/cases.md has them. */
export const queues = ["OPEN", "MINE", "UNASSIGNED", "OVERDUE", "SNOOZED", "ALL"] as const;
export type Queue = (typeof queues)[number];
export const kinds = ["SCREENING", "MONITORING", "MANUAL"] as const;
export const statuses = ["OPEN", "INVESTIGATING", "CLOSED"] as const;
export const priorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
export const outcomes = ["FALSE_POSITIVE", "CONFIRMED_RISK", "USEFUL"] as const;
export const tags = [
  "ADVERSE_MEDIA",
  "FRAUD",
  "IDENTITY",
  "MULE",
  "PEP",
  "REPORTED",
  "SANCTIONS",
  "SOURCE_OF_FUNDS",
  "STRUCTURING",
  "TERRORIST_FINANCING",
  "WAITS_FOR_CUSTOMER",
] as const;

export const priorityTones: Readonly<Record<string, Tone>> = {
  LOW: "neutral",
  NORMAL: "neutral",
  HIGH: "warn",
  URGENT: "bad",
};
export const statusTones: Readonly<Record<string, Tone>> = { OPEN: "warn", INVESTIGATING: "accent", CLOSED: "neutral" };
