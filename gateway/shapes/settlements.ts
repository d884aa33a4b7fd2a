import { z } from "zod";
import * as wire from "../../proto/gen/ledger/v1/settlements.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { Settlement } from "../../services/platform/events/shapes/settlement-shape.js";
import { shape } from "../codec.js";
import {
  currencyCode,
  decimalText,
  idIn,
  integer,
  maybe,
  moneyTextOrNumberIn,
  shown,
  text,
  dateIn,
} from "../schema.js";

export const SettlementLine = shape(
  wire.SettlementLine,
  z
    .object({
      transferId: z.string(),
      amount: decimalText.meta({ description: "Above zero for what the account grew by." }),
      currency: z.string(),
      sequence: integer.meta({ description: "Of its transfer in the journal." }),
      date: date.meta({ description: "The business day that it counts for." }),
    })
    .meta({ id: "SettlementLine" }),
  { currency: "amount.currency" },
);

const approvalStatus = shown(z.string(), "PENDING").meta({ description: "PENDING until a second person decides." });

export const AskedSettlement = z.object({ settlement: Settlement, approvalStatus }).meta({ id: "AskedSettlement" });

export const SettlementRequest = z
  .object({
    kind: z.enum(["PARTNER", "ACQUIRER", "MERCHANT", "TAX", "BANK", "OTHER"]),
    accountId: idIn,
    amount: moneyTextOrNumberIn,
    currency: currencyCode,
    cost: z.object({ amount: moneyTextOrNumberIn, currency: currencyCode }),
    fee: maybe(moneyTextOrNumberIn).meta({ description: "In the currency of the cost; nothing when absent." }),
    bankAccountId: idIn,
    valueDate: dateIn.meta({ description: "A day of the organisation's that is not closed, and not after today." }),
    reference: text(64),
    lines: maybe(
      z.object({
        transferIds: maybe(z.array(z.string()).max(1_000)),
        throughDate: maybe(dateIn).meta({ description: "All that is open to the end of this day, at most 100,000." }),
      }),
    ).meta({ description: "The transfers that are settled: their sum is the amount." }),
    prefund: maybe(z.boolean()).meta({ description: "More than is owed may be paid." }),
    note: maybe(text(300, 0)),
  })
  .meta({ id: "SettlementRequest" });
