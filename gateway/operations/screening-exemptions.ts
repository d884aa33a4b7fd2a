import { z } from "zod";
import { ScreeningExemption as WireExemption } from "../../proto/gen/compliance/v1/screening.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import type { Route } from "../route.js";
import { instant } from "../schema.js";
import { v6 } from "./base.js";
import { cursorQuery, idIn, reasonIn } from "./cursor-pages.js";
import { screeningSources, ScreeningSubject, ScreeningWord } from "../shapes/screenings.js";

const base = `${v6}/compliance/screening-exemptions`;
const states = ["VALID", "OVER", "VOID", "ENDED"] as const;

const Exemption = shape(
  WireExemption,
  z
    .object({
      exemptionId: z.string(),
      subject: ScreeningSubject,
      source: z.enum(screeningSources),
      entryId: z.string(),
      reason: z.string(),
      until: instant,
      madeBy: z.string(),
      madeAt: instant,
      state: z.enum(states).meta({ description: "VOID once name, date of birth or entry have changed." }),
      ended: ScreeningWord.optional().meta({ description: "Of one that a person ended before its time." }),
      voidAt: instant.optional().meta({ description: "When the change was noticed by which it is VOID." }),
    })
    .meta({ id: "ScreeningExemption" }),
);

/** Ours */
const listScreeningExemptions = operation({
  method: "get",
  path: base,
  operationId: "listScreeningExemptions",
  tag: "Compliance",
  summary: "List entries that are no hit for somebody, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery.extend({ customerId: idIn.optional(), state: z.enum(states).optional() }),
  answer: z.object({ exemptions: z.array(Exemption), nextCursor: z.string().optional() }),
  message: "Exemptions",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { state: "VALID" } },
  rpc: "screening.listScreeningExemptions",
});

/** Ours */
const endScreeningExemption = operation({
  method: "post",
  path: `${base}/:exemptionId/end`,
  operationId: "endScreeningExemption",
  tag: "Compliance",
  summary: "End an exemption before its time: the subject is compared anew",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  params: z.object({ exemptionId: idIn }),
  body: z.object({ reason: reasonIn }).meta({ id: "EndScreeningExemptionRequest" }),
  answer: Exemption,
  message: "Exemption ended",
  example: {
    as: "manager@demo.example",
    params: { exemptionId: "the-exemption" },
    body: { reason: "The customer has moved to the listed town" },
    answers: 404,
  },
  rpc: "screening.endScreeningExemption",
  gives: "exemption",
});

export const screeningExemptionRoutes: readonly Route[] = [listScreeningExemptions, endScreeningExemption];
