import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/compliance.js";
import { shape } from "../codec.js";

const contacts = z.array(z.enum(["EMAIL", "PHONE_NUMBER"]));
const seenMeta = { description: "A document that staff saw and entered fulfils IDENTITY_DOCUMENT, until it is over." };
const optionalMeta = { description: "Whoever was registered at the counter need not confirm them." };

export const CounterRules = shape(
  wire.CounterRules,
  z
    .object({ seenDocuments: z.boolean().meta(seenMeta), optionalContacts: contacts.meta(optionalMeta) })
    .meta({ id: "CounterRules" }),
);

export const CounterRulesIn = shape(
  wire.CounterRules,
  z
    .object({ seenDocuments: z.boolean().meta(seenMeta), optionalContacts: contacts.max(2).meta(optionalMeta) })
    .meta({ id: "CounterRulesGiven" }),
);
