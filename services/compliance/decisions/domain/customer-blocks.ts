import { Refusal } from "../../../kernel/refusal.js";
import type { CustomerRecord } from "./customer.js";
import type { CustomerStatus } from "./moves.js";
import type { Block } from "../../screening/domain/subject-hold.js";

/** Why a status is as it is, in words that tell nobody what was found. */
export const blockReason = "decided by compliance";

/** Whether confirmed hits hold the customer, so that no ordinary word changes their status. */
export function isHeldByBlock({ blocks = [] }: Pick<CustomerRecord, "blocks">): boolean {
  return blocks.length > 0;
}

/** The customer under one block more; the first keeps the status that they had. */
export function withBlock(customer: CustomerRecord, blockId: string): CustomerRecord {
  const { blocks = [], status } = customer;
  if (blocks.some((one) => one.blockId === blockId)) return customer;
  const block: Block = blocks.length === 0 ? { blockId, statusBefore: status } : { blockId };
  // Whoever was blocked before keeps the reason that staff gave.
  const reason = status === "BLOCKED" ? customer.reason : blockReason;
  return { ...customer, status: "BLOCKED", reason, blocks: [...blocks, block] };
}

/** The customer without a block; where none is left they are what they were before the first. */
export function withoutBlock(customer: CustomerRecord, blockId: string): CustomerRecord {
  const { blocks = [] } = customer;
  const ended = blocks.find((one) => one.blockId === blockId);
  if (ended === undefined) return customer;
  const others = blocks.filter((one) => one !== ended);
  const { statusBefore } = ended;
  const [next, ...rest] = others;
  if (next === undefined) return { ...customer, blocks: [], ...statusAfter(customer, statusBefore) };
  const heir = statusBefore === undefined ? next : { ...next, statusBefore };
  return { ...customer, blocks: [heir, ...rest] };
}

/** A status that was decided on while a block holds: it counts from when the last block ends. */
export function underBlock(customer: CustomerRecord, statusBefore: CustomerStatus): CustomerRecord {
  const { blocks = [] } = customer;
  const changed = blocks.map((one) => (one.statusBefore === undefined ? one : { ...one, statusBefore }));
  return { ...customer, blocks: changed };
}

function statusAfter({ reason, status }: CustomerRecord, before: CustomerStatus | undefined) {
  if (before === undefined || before === status) return { reason };
  return { status: before, reason: blockReason };
}

/** In words that tell nobody what holds the customer. */
export function heldByBlock(): Refusal {
  return new Refusal("STATE_CONFLICT", "this customer's status cannot be changed now");
}
