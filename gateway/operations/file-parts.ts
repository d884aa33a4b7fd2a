import { z } from "zod";
import { wholeNumberIn } from "../schema.js";

/** Of a whole file. */
export const maxFileBytes = 10 * 1024 * 1024;
const partBytes = 128 * 1024;

/** Members of a body that brings a part of a file. */
export const partMembers = partMembersUpTo(maxFileBytes);

/** The same of files that may be larger. */
export function partMembersUpTo(maxBytes: number) {
  return {
    offset: wholeNumberIn(0, maxBytes).meta({ description: `Of the first byte: a multiple of ${partBytes}.` }),
    content: z
      .string()
      .min(1)
      .max(Math.ceil(partBytes / 3) * 4)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64")
      .meta({ description: `At most ${partBytes} bytes, as base64.` }),
  };
}

/** Where a file is read from. */
export const readFromQuery = z.object({
  offset: z
    .string()
    .regex(/^\d{1,8}$/, "must be a number")
    .optional()
    .meta({ description: `A multiple of ${partBytes}; 0 when absent.` }),
});

/** Members of an answer that has a part of a file. */
export const readMembers = {
  content: z.string().meta({ description: "Base64." }),
  nextOffset: z.number().int().optional().meta({ description: "Absent at the end." }),
};

/** What was read of a file from an offset on, and where it goes on. */
export function readPart(data: Uint8Array, offset: number, sizeBytes: number) {
  const end = offset + data.length;
  return {
    content: Buffer.from(data).toString("base64"),
    ...(data.length > 0 && end < sizeBytes && { nextOffset: end }),
  };
}
