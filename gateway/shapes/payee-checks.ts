import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { instant, maybe, shown, text } from "../schema.js";

/** When a corridor has payees checked. */
export const payeeCheckTime = z.enum(["OFF", "AT_RECIPIENT", "AT_TRANSACTION", "BOTH"]);

/** What came of a payee check. */
export const PayeeVerdict = shape(
  wire.PayeeVerdict,
  z
    .object({
      result: z.string().meta({
        examples: ["MTCH"],
        description:
          "MTCH, CMTC (a close match), NMTC (no match), NOAP (cannot be said); NO_ANSWER where the partner gave none within " +
          "3 s, NO_PARTNER where the organisation has none.",
      }),
      checkedAt: instant,
      accountName: shown(z.string(), "Tolulope Adeyemi")
        .optional()
        .meta({ description: "With CMTC, the name on the account that somebody was shown." }),
      acceptedAt: instant.optional().meta({ description: "Of CMTC and NMTC: when somebody went on all the same." }),
      acceptedBy: leaf.userId.optional(),
    })
    .meta({ id: "PayeeVerdict" }),
);

export const payeeCheckId = maybe(text(128)).meta({
  description:
    "Of a refusal PAYEE_NAME_DIFFERS or PAYEE_NOT_MATCHED that was read, to go on all the same within 15 minutes.",
});
