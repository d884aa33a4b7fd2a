import { z } from "zod";
import { isReadable, storedReason, maxReasonLength } from "../../services/kernel/text/reason.js";
import { maybe, text } from "../schema.js";

/** How long a page is to be. */
export function sizeOf(usual: number) {
  return z
    .string()
    .regex(/^([1-9]\d?|100)$/, "must be 1 to 100")
    .optional()
    .meta({
      description: `1 to 100; ${usual} when absent.`,
      override: { type: "integer", minimum: 1, maximum: 100 },
    });
}

/** Lists that can grow without bound are read by cursor. */
export const cursorQuery = z.object({
  size: sizeOf(20),
  cursor: text(128).optional().meta({ description: "nextCursor of the page before." }),
});

export function pageOf({ size, cursor }: z.output<typeof cursorQuery>) {
  return { pageSize: size === undefined ? 0 : Number(size), cursor: cursor ?? "" };
}

/** Absent on the last page. */
export function nextCursorOf({ nextCursor }: { nextCursor: string }): { nextCursor?: string } {
  return nextCursor === "" ? {} : { nextCursor };
}

/** From a time until another, as services have it. */
export function timesOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { until: new Date(to) }),
  };
}

export const idIn = z.string().regex(/^[\w.:-]{1,128}$/, "is not an id");

const reasonText = (minLength: number) =>
  z
    .string()
    .overwrite(storedReason)
    .min(minLength)
    .max(maxReasonLength)
    .refine(isReadable, "must not hold control characters or invisible ones");

/** Why, as the services read it. */
export const reasonIn = reasonText(1).regex(/\S/, "must not be empty");

/** The same, which may be left out or empty. */
export const maybeReasonIn = maybe(reasonText(0));
