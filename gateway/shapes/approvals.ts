import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/screening.js";
import { Approval, approvalEffects } from "../../services/platform/events/shapes/approval-shape.js";
import { shape } from "../codec.js";
import { CaseTransaction, HitSummary } from "./cases.js";
import { releaseWays } from "./screenings.js";

/** What all hits have in common that one approval decides on. */
export const CaseOfHits = shape(
  wire.DescribedHits,
  z.object({
    releasedAs: z.enum(releaseWays).optional().meta({ description: "Of a release." }),
    caseId: z.string().optional(),
    transactionCount: z.number().int().meta({ description: "Of those that the comparison names." }),
    transactions: z.array(CaseTransaction).meta({ description: "The newest ten of them." }),
  }),
);

/**
 * What whoever decides on a hit reads, in the place of ids: names are opened for this
 * answer, and identity keeps none.
 */
export const ApprovalHit = z.object({ hit: HitSummary, ...CaseOfHits.shape }).meta({ id: "ApprovalHit" });

export const ApprovalWithHits = Approval.extend({
  hits: z.array(ApprovalHit).optional().meta({
    description:
      "All that it decides on, of SCREENING_CONFIRMATION and SCREENING_RELEASE. Absent while compliance is away, and once the hits were asked about again.",
  }),
}).meta({ id: "ApprovalWithHits" });

export const ApprovalWithEffects = ApprovalWithHits.extend(approvalEffects).meta({ id: "ApprovalWithEffects" });
