import { z } from "zod";
import type { RecipientDetails } from "../../proto/gen/remittance/v1/remittance.js";
import { countryIn, maybe } from "../schema.js";
import { absentIfEmpty } from "../wire.js";
import { AddressIn, addressFromWire, addressToWire, day, dayIn, PostalAddress } from "./personal-details.js";

const kind = z.enum(["PERSON", "COMPANY"]);

/** What a request says of a recipient beside name and account. */
export const recipientDetailsIn = {
  kind: maybe(kind).meta({ description: "The name of a COMPANY stands in lastName." }),
  dateOfBirth: maybe(dayIn).meta({ description: "Of a PERSON." }),
  nationality: maybe(countryIn).meta({ description: "Of a COMPANY where it is registered." }),
  address: maybe(AddressIn),
};

/** The same in answers; what is not known is absent. */
export const recipientDetailsOut = {
  kind: kind.optional(),
  dateOfBirth: day.optional(),
  nationality: z.string().optional(),
  address: PostalAddress.optional(),
};

type Given = z.output<z.ZodObject<typeof recipientDetailsIn>>;
type Shown = z.output<z.ZodObject<typeof recipientDetailsOut>>;

/** Undefined where nothing of it was given. */
export function recipientDetailsToWire(given: Given): RecipientDetails | undefined {
  const { kind: said, dateOfBirth, nationality, address } = given;
  if ([said, dateOfBirth, nationality, address].every((part) => part === undefined)) return undefined;
  return {
    kind: said ?? "",
    dateOfBirth: dateOfBirth ?? "",
    nationality: nationality ?? "",
    address: address && addressToWire(address),
  };
}

export function recipientDetailsFromWire(details: RecipientDetails | undefined): Shown {
  if (details === undefined) return {};
  const { dateOfBirth, nationality, address } = details;
  return {
    kind: absentIfEmpty(details.kind) as z.output<typeof kind> | undefined,
    dateOfBirth: absentIfEmpty(dateOfBirth),
    nationality: absentIfEmpty(nationality),
    ...(address && { address: addressFromWire(address) }),
  };
}
