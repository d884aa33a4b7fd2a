import { z } from "zod";
import { EntrySide } from "../../proto/gen/ledger/v1/ledger.js";
import * as wire from "../../proto/gen/ledger/v1/manual_journals.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { enumOf, shape } from "../codec.js";
import {
  currencyCode,
  decimalText,
  idIn,
  instant,
  integer,
  maybe,
  moneyTextOrNumberIn,
  reasonIn,
  text,
  dateIn,
} from "../schema.js";

const JournalLine = shape(
  wire.ManualJournalLine,
  z
    .object({
      accountId: z.string().meta({ examples: ["bank_fees:USD"] }),
      side: enumOf(EntrySide),
      amount: decimalText,
      currency: z.string(),
      text: z.string().optional(),
    })
    .meta({ id: "JournalLine" }),
  { currency: "amount.currency" },
);

export const JournalAttachment = shape(
  wire.ManualJournalAttachment,
  z
    .object({
      fileName: z.string().meta({ examples: ["invoice.pdf"] }),
      mediaType: z.string().meta({ examples: ["application/pdf"] }),
      sizeBytes: integer,
      sha256: leaf.sha256,
    })
    .meta({ id: "JournalAttachment" }),
);

export const Journal = shape(
  wire.ManualJournal,
  z
    .object({
      journalId: z.string(),
      kind: enumOf(wire.ManualJournalKind),
      status: enumOf(wire.ManualJournalStatus).meta({
        description: "PROPOSED until a second person decides; APPROVED while it is posted; POSTED or REFUSED for good.",
      }),
      lines: z.array(JournalLine),
      reason: leaf.reason,
      valueDate: date.meta({ description: "The day that it counts for." }),
      approvalId: z.string().optional(),
      failure: z.string().optional().meta({ description: "Why it was refused." }),
      reversesJournalId: z.string().optional().meta({ description: "The journal that it takes back." }),
      reversedByJournalId: z.string().optional().meta({ description: "The journal that takes it back, or is to." }),
      attachment: JournalAttachment.optional(),
      askedBy: leaf.userId,
      askedAt: instant,
      decidedBy: leaf.userId.optional(),
      postedAt: instant.optional(),
      transferIds: z.array(z.string()).meta({ description: "Of its transfers, once it is posted." }),
    })
    .meta({ id: "Journal" }),
  { transferIds: "transferKeys" },
);

// What takes another one back is asked for by that one's id.
const { MANUAL_JOURNAL_KIND_REVERSAL: _reversal, ...writtenKinds } = wire.ManualJournalKind;

const valueDateIn = maybe(dateIn).meta({ description: "Today or before; today where absent." });

export const JournalRequest = z
  .object({
    kind: enumOf(writtenKinds).optional().meta({ description: "OPENING: what was there before the books began." }),
    lines: z
      .array(
        z.object({
          accountId: idIn,
          side: enumOf(EntrySide),
          amount: moneyTextOrNumberIn,
          currency: currencyCode,
          text: maybe(text(140, 0)),
        }),
      )
      .min(2)
      .max(200)
      .meta({ description: "Debits and credits are the same in each currency." }),
    reason: reasonIn,
    valueDate: valueDateIn,
    attachment: z
      .object({
        fileName: text(200),
        mediaType: z.enum(["application/pdf", "image/jpeg", "image/png", "text/csv", "text/plain"]),
        content: z
          .string()
          .min(1)
          .max(Math.ceil((128 * 1024) / 3) * 4)
          .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64")
          .meta({ description: "At most 131072 bytes, as base64." }),
      })
      .optional(),
  })
  .meta({ id: "JournalRequest" });

export const JournalReversalRequest = z
  .object({ reason: reasonIn, valueDate: valueDateIn })
  .meta({ id: "JournalReversalRequest" });
