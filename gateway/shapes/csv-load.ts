import { z } from "zod";
import { FaultyLine } from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import { maybe, text, shown } from "../schema.js";

/** Body of an operation that loads many from a file. */
export const csvLoadFields = {
  csv: text(200_000).meta({
    description:
      "Comma-separated, quotes as in RFC 4180, with a header line, in UTF-8. Lines may end with LF, CRLF or CR. A quote out of place is refused by its line.",
  }),
  dryRun: maybe(z.boolean()).meta({ description: "True: nothing is changed, only reported." }),
};

export const faultyLines = z
  .array(
    shape(
      FaultyLine,
      z.object({
        line: z.int(),
        column: shown(z.string(), "rate").optional(),
        message: shown(z.string(), "must be a decimal number as text, such as 25.50"),
      }),
    ),
  )
  .meta({ description: "Line 1 is the header; without a column it is the line as a whole." });
