import { z } from "zod";
import * as packages from "../../proto/gen/ledger/v1/packages.js";
import * as wire from "../../proto/gen/ledger/v1/periods.js";
import { closeBlockers, serviceAway } from "../../services/platform/closing/close-blocker-kinds.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { enumOf, shape } from "../codec.js";
import { v6 } from "../route.js";
import { instant, integer, shown } from "../schema.js";

export const CloseBlocker = z
  .object({
    service: z.string().meta({ examples: ["identity"] }),
    kind: z.string().meta({
      description: `One of ${[...new Set(Object.values(closeBlockers).flat()), serviceAway].join(", ")}; more may be added.`,
      examples: ["APPROVALS_OPEN"],
    }),
    count: z.number().int().meta({ description: "Up to 1,000." }),
    atLeast: z.boolean().optional().meta({ description: "There is more than was counted." }),
    oldestAt: instant.optional(),
    path: z
      .string()
      .optional()
      .meta({ description: "Where to see it.", examples: [`${v6}/admin/approvals`] }),
  })
  .meta({ id: "CloseBlocker" });

const PackageFile = shape(
  wire.PackageFile,
  z
    .object({ name: shown(z.string(), "manifest.json"), bytes: integer, sha256: leaf.sha256 })
    .meta({ id: "PackageFile" }),
);

export const Closing = shape(
  wire.Closing,
  z
    .object({
      number: z.int().meta({ description: "Its place among the organisation's closings, from 1." }),
      period: shown(z.string(), "2026-11-29"),
      from: shown(z.string(), "2026-11-29"),
      through: shown(z.string(), "2026-11-29"),
      afterSequence: integer.meta({ description: "Its package has the transfers after this one." }),
      throughSequence: integer,
      headHash: leaf.sha256.meta({ description: "Of the transfer at throughSequence, as stored at the close." }),
      mappingVersion: z.int().meta({ description: "0 where codes stand for themselves." }),
      closedBy: leaf.userId,
      closedAt: instant,
      supersededAt: instant.optional().meta({ description: "When its days were opened again." }),
      supersededBy: z.string().optional().meta({ description: "Id of the approval by which they were." }),
      packageStatus: enumOf(wire.PackageStatus),
      packageTransfers: integer.meta({ description: "In the package so far." }),
      files: z.array(PackageFile).meta({ description: "Once the package is built." }),
    })
    .meta({ id: "Closing" }),
  {
    from: "fromDate",
    through: "throughDate",
    headHash: ({ headHash }) => Buffer.from(headHash).toString("hex"),
  },
);

export const ChartMapping = shape(
  packages.ChartMapping,
  z
    .object({
      version: z.int().meta({ description: "0 until one is put: every code stands for itself." }),
      codes: z.array(
        shape(
          packages.MappedCode,
          z
            .object({
              code: shown(z.string(), "fee_income"),
              account: shown(z.string(), "4000"),
              name: shown(z.string(), "Fees earned"),
            })
            .meta({ id: "MappedCode" }),
        ),
      ),
      changedBy: leaf.userId.optional(),
      changedAt: instant.optional(),
    })
    .meta({ id: "ChartMapping" }),
);
