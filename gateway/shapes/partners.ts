import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/partners.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { decimalText, instant, integer, maybe, shown } from "../schema.js";

export const PartnerAlarm = shape(
  wire.PartnerAlarm,
  z
    .object({
      accountId: z.string(),
      currency: z.string(),
      below: decimalText.optional().meta({ description: "Absent where nobody is told." }),
      isLow: z.boolean().meta({ description: "As it was told last, by partner.balance_low or .balance_restored." }),
      since: instant.optional(),
      changedBy: leaf.userId,
      changedAt: instant,
    })
    .meta({ id: "PartnerAlarm" }),
  { below: { minor: "belowMinor", currency: "currency" } },
);

export const PartnerBalance = z
  .object({
    accountId: shown(z.string(), "partner_settlement:0199d0c2-0000-7000-8000-00ce7d4f4ca9:NGN"),
    code: shown(z.string(), "partner_settlement").meta({
      description:
        "partner_settlement of payout partners, card_settlement and lending_card_settlement of acquirers, bank_settlement and lending_bank_settlement of banks, merchant_settlement of billers.",
    }),
    partner: z
      .string()
      .meta({ description: "Id of the installation, operator for the operator's, or a biller's code." }),
    name: z.string().meta({ description: "Of the installation where it is one, else of the account." }),
    currency: z.string(),
    owed: decimalText.meta({ description: "What we owe it." }),
    prefunded: decimalText.meta({
      description: "What it holds of ours: paid ahead, taken in for us, or lying at the bank.",
    }),
    inFlight: decimalText.meta({
      description:
        "Handed over and not yet paid out: payouts that are PROCESSING or READY_FOR_PICKUP at a payout partner, and what pending transfers reserve.",
    }),
    available: decimalText.meta({ description: "prefunded less owed less inFlight; below zero where more is owed." }),
    daysLeft: integer.optional().meta({
      description:
        "Whole days that what is available lasts, at the average of what went out on the seven days before today. Absent where nothing did, and of acquirers.",
    }),
    alarm: PartnerAlarm.optional(),
  })
  .meta({ id: "PartnerBalance" });

// Of such a length no service calls it too long, but too large.
const signedDecimal = /^-?(0|[1-9]\d{0,39})(\.\d{1,20})?$/;

export const PartnerAlarmRequest = z
  .object({
    below: maybe(z.string().regex(signedDecimal, "must be decimal text, such as 5000.00 or -20000")).meta({
      description: "Told where less is available; below zero it is how much may be owed. Absent to tell nobody.",
      examples: ["5000.00"],
    }),
  })
  .meta({ id: "PartnerAlarmRequest" });
