import { z } from "zod";
import { routeMethods } from "../plugins/kinds.js";
import { beneficiaryShape, originatorShape, partiesShape, partyBounds } from "./party-contract.js";

// The HTTP contract of payout connectors, as the connector, the certification and
// the published document read it.

const decimalText = z
  .string()
  .regex(/^\d{1,19}(\.\d{1,4})?$/)
  .meta({ description: "Decimal text: no number of JSON holds all amounts." });
const moment = z.iso
  .datetime()
  .meta({ description: "UTC, by ISO 8601 with a Z.", override: { type: "string", format: "date-time" } });
const reference = z.string().min(1).max(128).meta({ description: "Ours: however often it comes, it is paid once." });
const reason = z.string().meta({ description: "Of a refusal; we keep 200 characters." });
const kept = decimalText.meta({
  description:
    "Of RETURNED: what the recipient's bank kept, in `keptCurrency`; from 0 to the amount of the payout. Of more nobody can say what came back: a person is asked.",
});
const keptCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({
    description:
      "Of kept; the payout's currency where absent. In any other one nobody can say what came back: a person is asked.",
  });

export const payoutStatuses = ["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"] as const;
const status = z.enum(payoutStatuses).meta({
  description:
    "ACCEPTED: recorded, will be paid. PAID: the recipient has it. REFUSED: not paid, for `reason`. RECALLED: not " +
    "paid, since it was recalled. RETURNED: it came back, less `kept`.",
});

/** What a partner says of a payout. */
export const payoutShape = z
  .object({
    payoutId: z.string().optional().meta({ description: "Yours." }),
    reference: z.string().meta({ description: "Ours, as it was sent." }),
    amount: decimalText,
    currency: z.string().meta({ description: "ISO 4217; empty where a recall came and its order never did." }),
    status,
    reason: reason.optional(),
    kept: kept.optional(),
    keptCurrency: keptCurrency.optional(),
  })
  .meta({ id: "Payout" });

/** Whom a partner of contract 2 has recorded as paying and as paid. */
export const recordedShape = z.object({
  originator: originatorShape.optional(),
  beneficiary: beneficiaryShape.optional(),
});

export type RecordedParties = z.output<typeof recordedShape>;

/** What it says of one that is asked for by its reference. */
export const recordedPayoutShape = payoutShape.extend(recordedShape.shape).meta({
  id: "RecordedPayout",
  description:
    "By contract 2 it has the originator as it was sent, and the beneficiary as it was sent or, after an amendment " +
    "that is DONE, as that says.",
});

export const windowShape = z.object({ opensAt: moment }).meta({ id: "Window" });

export const statementLineShape = z
  .object({
    reference: z.string(),
    kind: z.enum(["PAYOUT", "RETURN"]),
    amount: decimalText.meta({ description: "Of a RETURN what came back." }),
    currency: z.string(),
    at: moment,
  })
  .meta({ id: "StatementLine" });

/** A page of a statement. */
export const statementShape = z
  .object({
    lines: z.array(statementLineShape),
    cursor: z.string().min(1).max(1_000).optional().meta({
      description: "Of the next page, another one at each; absent on the last one, and on one without lines.",
    }),
  })
  .meta({ id: "StatementPage" });

/** What a callback must say; the rest of it is asked for. */
export const callbackShape = z
  .object({
    type: z.string().optional().meta({ description: "Such as payout.paid." }),
    account: z.string().meta({ description: "As x-account named it." }),
    payout: z.object({ reference, status }),
  })
  .meta({ id: "Callback" });

/** What an order of a sandbox says is to be done with it. */
const forcedShape = z
  .object({
    behaviour: z.string().meta({
      description:
        "ACCEPT, REFUSE, REFUSE_LATER, HANG (nothing recorded, no answer), ANSWER_LATE, LOSE_ANSWER (recorded, " +
        "connection cut), STALL (never decided), RETURN, AWAY (nothing recorded, connection cut), SERVER_ERROR " +
        "(nothing recorded, 5xx). 400 for one that you do not know.",
    }),
    settleMs: z.int().optional().meta({ description: "From ACCEPTED to what follows." }),
    delayMs: z.int().optional().meta({ description: "Of a late answer; of a return, from PAID on." }),
    reason: reason.optional(),
    kept: kept.optional(),
  })
  .meta({ id: "Forced", description: "Of sandboxes alone: how the payout is to end." });

/** An order, as it is sent. */
export const orderShape = z
  .object({
    reference,
    amount: decimalText,
    currency: z.string().regex(/^[A-Z]{3}$/),
    method: z.enum(routeMethods),
    creditParty: z.record(z.string(), z.string()).meta({ description: "Whom to pay, such as bankaccountno." }),
    callbackUrl: z.url().optional(),
    ...partiesShape.partial().shape,
    forced: forcedShape.optional(),
  })
  .meta({
    id: "Order",
    description:
      "Contract 2 adds originator, beneficiary, purpose, relationship, sourceOfFunds, sendAmount, sendCurrency, " +
      "transactionCode and remittanceText. They are a part of the order: the same reference with others is 409.",
  });

/** What is asked of a partner that has an order already, by contract 2. */
export const amendmentShape = z
  .object({
    amendmentId: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,64}$/)
      .meta({ description: "Ours: however often it comes, it is one amendment." }),
    beneficiary: beneficiaryShape.meta({
      description: "Who is paid, whole, as it should have been said. Account and country stay those of the order.",
    }),
    accountHolderName: z
      .string()
      .min(1)
      .max(partyBounds.text)
      .optional()
      .meta({ description: "As creditParty should have named the account's holder; where absent, it is as it was." }),
    reason: z.string().min(1).max(partyBounds.text).meta({ description: "Why, in words that name nobody." }),
  })
  .meta({ id: "AmendmentRequest" });

export type PayoutAmendment = z.output<typeof amendmentShape>;

export const amendmentStatuses = ["ACCEPTED", "DONE", "REFUSED"] as const;

export const amendmentAnswerShape = z
  .object({
    amendmentId: z.string(),
    reference: z.string(),
    status: z.enum(amendmentStatuses).meta({
      description:
        "ACCEPTED: those who have the money are asked; the same request again says what came of it. DONE: the payout " +
        "has it. REFUSED: it stays as it was, for `reason`.",
    }),
    reason: reason.optional(),
  })
  .meta({ id: "Amendment" });

export const batchShape = z
  .object({ batchReference: z.string().min(1).max(128), payouts: z.array(orderShape).min(1) })
  .meta({ id: "Batch" });

export const faultShape = z
  .object({ error: z.string().optional().meta({ description: "For people; nothing reads it." }) })
  .meta({ id: "Fault" });
