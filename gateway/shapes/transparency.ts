import { z } from "zod";
import { MemberCount as WireCount } from "../../proto/gen/compliance/v1/compliance.js";
import * as wire from "../../proto/gen/compliance/v1/transparency.js";
import { shape } from "../codec.js";
import {
  destinations,
  fundings,
  missingWays,
  profileNames,
  transparencyMembers,
} from "../../services/platform/transparency/members.js";
import { currencyCode, maybe, shown, text, wholeNumberIn } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { Amount, AmountIn } from "./compliance.js";

const profile = z.enum(profileNames);
const onMissing = z.enum(missingWays);
const funding = z.enum(fundings);
const destination = z.enum(destinations);
const member = z.enum(transparencyMembers);

const TransparencyRow = shape(
  wire.TransparencyRow,
  z
    .object({
      amount: Amount,
      isAbove: z.boolean().meta({ description: "More than the amount; else from it on." }),
      funding,
      destination,
      receivingCountries: z.array(leaf.country).meta({ description: "These alone, in place of a destination." }),
      members: z.array(member),
      isVerified: z.boolean().meta({ description: "Who sends has shown a document that was reviewed." }),
      source: shown(z.string(), "31 CFR 1010.410(f)(1)").optional().meta({ description: "Of a standard row." }),
    })
    .meta({ id: "TransparencyRow" }),
);

export const TransparencyProfile = shape(
  wire.TransparencyProfile,
  z
    .object({
      profile,
      originCountries: z.array(leaf.originCountry),
      currency: shown(z.string(), "USD"),
      linkedHours: shown(z.number().int(), 24),
      onMissing,
      rows: z.array(TransparencyRow),
      standardRows: z
        .array(TransparencyRow)
        .meta({ description: "Those that come with the named profile, each with its source." }),
    })
    .meta({ id: "TransparencyProfile" }),
);

const countries = z.array(text(64)).max(250);

const TransparencyRowIn = shape(
  wire.TransparencyRow,
  z.object({
    amount: AmountIn,
    isAbove: maybe(z.boolean()),
    funding: maybe(funding),
    destination: maybe(destination),
    receivingCountries: maybe(countries),
    members: maybe(z.array(member).max(member.options.length)),
    isVerified: maybe(z.boolean()),
  }),
);

export const TransparencyProfileIn = shape(
  wire.TransparencyProfile,
  z
    .object({
      profile,
      originCountries: countries.min(1),
      currency: maybe(currencyCode).meta({
        description: "Of its amounts; the profile's own where it is left out, of OWN always given.",
      }),
      linkedHours: maybe(wholeNumberIn(1, 744)).meta({
        description: "What one sender sends one recipient within these hours counts together; 24 where it is left out.",
      }),
      onMissing: maybe(onMissing),
      rows: maybe(z.array(TransparencyRowIn).max(50)).meta({
        description: "The organisation's own, beside those of the named profile.",
      }),
    })
    .meta({ id: "TransparencyProfileGiven" }),
);

const transactions = z.number().int();

export const MemberCount = shape(
  WireCount,
  z.object({
    member: shown(z.string(), "ADDRESS"),
    liveAsked: transactions,
    liveMissing: transactions,
    draftAsked: transactions,
    draftMissing: transactions,
  }),
);
