import { z } from "zod";
import { Money } from "../../proto/gen/common/v1/money.js";
import { shape } from "../codec.js";
import { decimalText } from "../schema.js";

/** Money with its currency, as an object of its own. */
export const Amount = shape(Money, z.object({ amount: decimalText, currency: z.string() }), {
  amount: { minor: "amountMinor", currency: "currency" },
});
