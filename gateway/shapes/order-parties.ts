import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/transparency.js";
import { PersonDocument, PlaceOfBirth as WirePlace } from "../../proto/gen/common/v1/personal_details.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import { Trace } from "./amendments.js";
import { day, PostalAddress } from "./people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const OrderParty = shape(
  wire.OrderParty,
  z
    .object({
      kind: z.enum(["PERSON", "COMPANY"]).optional(),
      name: shown(z.string(), "Amina Bello"),
      lei: shown(z.string(), "5493001KJTIIGC8Y1R12").optional(),
      address: PostalAddress.optional(),
      dateOfBirth: shown(day, "1990-05-17").optional(),
      placeOfBirth: shape(WirePlace, z.object({ city: leaf.city, country: leaf.country })).optional(),
      nationality: leaf.country.optional(),
      document: shape(
        PersonDocument,
        z.object({ type: z.string(), number: shown(z.string(), "A01234567"), country: leaf.country.optional() }),
      ).optional(),
      account: leaf.recipientAccountNumber.optional(),
      uniqueId: z.string().optional().meta({ description: "The transaction's id without dashes." }),
      customerCode: leaf.customerCode.optional(),
      country: leaf.country.optional(),
      phoneNumber: leaf.phoneNumber.optional(),
    })
    .meta({ id: "OrderParty", description: "What is absent was not said." }),
);

const SentOrder = shape(
  wire.SentOrder,
  z
    .object({
      installationId: z
        .string()
        .optional()
        .meta({ description: "The organisation's own partner; absent for the default." }),
      sentAt: instant,
      originator: OrderParty.optional().meta({ description: "Absent where its partner speaks contract 1." }),
      beneficiary: OrderParty.optional(),
      purpose: shown(z.string(), "FAMILY_SUPPORT").optional(),
      relationship: shown(z.string(), "BROTHER").optional(),
      sourceOfFunds: leaf.sourceOfFunds.optional(),
      sendAmount: leaf.sendAmount.optional(),
      sendCurrency: shown(z.string(), "USD").optional(),
      transactionCode: leaf.transactionCode,
      remittanceText: z.string().optional(),
    })
    .meta({ id: "SentOrder", description: "The same each time it was sent." }),
  { sendCurrency: "sendAmount.currency" },
);

const members = z.array(shown(z.string(), "ADDRESS"));

export const TransactionTransparency = shape(
  wire.GetTransparencyResponse,
  z
    .object({
      transactionId: leaf.transactionId,
      profile: shown(z.string(), "US_BSA")
        .optional()
        .meta({ description: "Absent where none was for its origin country." }),
      policyVersion: z.number().int(),
      members: members.meta({ description: "What the policy asks of it, there or missing." }),
      missingMembers: members,
      amount: leaf.sendAmount.optional().meta({ description: "In the profile's currency; absent without a rate." }),
      linkedAmount: leaf.sendAmount.optional().meta({ description: "With those linked to it." }),
      currency: shown(z.string(), "USD").optional(),
      funding: z.enum(["WALLET", "CASH"]).optional(),
      sent: SentOrder.optional().meta({ description: "Absent where no partner was told of it." }),
      partnerAnswer: z
        .enum(["RECORDED", "NOTHING", "NO_ANSWER"])
        .optional()
        .meta({ description: "What the partner said as this was asked." }),
      recordedOriginator: OrderParty.optional(),
      recordedBeneficiary: OrderParty.optional(),
      traces: z.array(Trace).meta({ description: "What the partner was asked to put right, or is to be." }),
    })
    .meta({ id: "TransactionTransparency" }),
  { currency: "amount.currency" },
);
