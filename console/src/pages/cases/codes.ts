import type { casePriorities, caseQueues, caseStatuses } from "../../generated/enums";
import type { Tone } from "../../ui/badge";

export type Queue = (typeof caseQueues)[number];
/** What anybody works on comes first, everything last. */
export const queues: readonly Queue[] = ["OPEN", "MINE", "UNASSIGNED", "OVERDUE", "SNOOZED", "ALL"];

export const priorityTones: Readonly<Record<(typeof casePriorities)[number], Tone>> = {
  LOW: "neutral",
  NORMAL: "neutral",
  HIGH: "warn",
  URGENT: "bad",
};
export const statusTones: Readonly<Record<(typeof caseStatuses)[number], Tone>> = {
  OPEN: "warn",
  INVESTIGATING: "accent",
  CLOSED: "neutral",
};
