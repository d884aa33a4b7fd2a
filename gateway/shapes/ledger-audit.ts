import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/ledger.js";
import { enumOf, shape } from "../codec.js";
import { decimalText, instant, integer } from "../schema.js";
import { absentIfEmpty } from "../wire.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const LedgerFault = shape(
  wire.VerificationFault,
  z
    .object({
      sequence: integer.optional(),
      transferId: z.string().optional(),
      accountId: leaf.accountId.optional(),
      difference: leaf.zeroText,
    })
    .meta({ id: "LedgerFault" }),
  { transferId: "transferKey" },
);

export const LedgerVerification = shape(
  wire.Verification,
  z
    .object({
      verificationId: z.string(),
      status: enumOf(wire.VerificationStatus).meta({
        description: "PASSED where everything fits, FAILED where something does not.",
      }),
      pass: z.number().int().meta({
        description: "1 first. A journal of more than 20,000 accounts is gone through again for each further 20,000.",
      }),
      checkedSequence: integer.meta({ description: "Transfers up to here are checked in this pass." }),
      lastSequence: integer.meta({
        description: "Where the pass ends: what was posted later is not in it. 0 until the accounts are read.",
      }),
      headHash: z.string().optional().meta({ description: "Of the transfer at lastSequence, in hexadecimal digits." }),
      faults: z.array(LedgerFault).meta({ description: "The first 100, once it ended." }),
      startedAt: instant,
      startedBy: leaf.userId.meta({ description: "A user's id." }),
      endedAt: instant.optional(),
    })
    .meta({ id: "LedgerVerification" }),
  { headHash: ({ headHash }) => absentIfEmpty(Buffer.from(headHash).toString("hex")) },
);

/** A transfer as an export has it: members in the order of the columns. */
export const ExportedTransfer = shape(
  wire.JournalTransfer,
  z.object({
    sequence: z.string(),
    transferId: z.string(),
    mode: z.string(),
    insertedAt: instant,
    effectiveAt: instant,
    debitAccountId: z.string(),
    creditAccountId: z.string(),
    currency: z.string(),
    amount: decimalText,
    debitBalance: decimalText,
    creditBalance: decimalText,
    kind: z.string(),
    description: z.string(),
    refersTo: z.string(),
    interactionId: z.string(),
    createdBy: z.string(),
    service: z.string(),
    hash: z.string(),
  }),
  {
    sequence: ({ sequence }) => String(sequence),
    transferId: "key",
    insertedAt: "time",
    currency: "amount.currency",
    debitBalance: { minor: "debitBalanceMinor", currency: "amount.currency" },
    creditBalance: { minor: "creditBalanceMinor", currency: "amount.currency" },
    hash: ({ hash }) => Buffer.from(hash).toString("hex"),
  },
);
