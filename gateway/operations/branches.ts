import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { countryIn, maybe, text, shown } from "../schema.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery } from "./cursor-pages.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/branches`;

const BranchRequest = shape(
  wire.Branch,
  z
    .object({
      code: text(64),
      name: text(200),
      country: countryIn,
      city: maybe(text(100, 0)),
      address: maybe(text(300, 0)),
      phoneNumber: maybe(text(30, 0)),
      openingHours: maybe(text(300, 0)),
      allocatedTo: maybe(text(128)).meta({ description: "TENANT when absent, or an agent's user id." }),
      enabled: maybe(z.boolean()),
    })
    .meta({ id: "BranchRequest" }),
  { enabled: { field: "enabled", absent: true } },
);

const Branch = shape(
  wire.Branch,
  z
    .object({
      code: shown(z.string(), "LAG-1"),
      name: shown(z.string(), "Lagos Island"),
      country: z.string(),
      city: leaf.city.optional(),
      address: leaf.streetLine.optional(),
      phoneNumber: leaf.phoneNumber.optional(),
      openingHours: leaf.openingHours.optional(),
      allocatedTo: leaf.ofTenant,
      enabled: z.boolean(),
      version: z.int(),
    })
    .meta({ id: "Branch" }),
);

const putBranch = operation({
  method: "put",
  path: base,
  operationId: "putBranch",
  tag: "Branches",
  summary: "Create one of the organisation's branches or replace what holds of it; every version is kept",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  body: BranchRequest,
  answer: Branch,
  message: "Branch",
  example: {
    as: "manager@demo.example",
    body: { code: "LAG-1", name: "Lagos Island", country: "NGA", city: "Lagos", openingHours: "Mon-Fri 09:00-17:00" },
  },
  renames: { branch: "body" },
  rpc: "remittance.putBranch",
  sends: "branch",
  gives: "branch",
});

const listBranches = operation({
  method: "get",
  path: base,
  operationId: "listBranches",
  tag: "Branches",
  summary: "List the organisation's branches: managers all, others what is open to them",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "transactions:read"],
  query: cursorQuery.extend({ country: countryIn.optional() }),
  answer: z.object({ branches: z.array(Branch), nextCursor: leaf.nextCursor.optional() }).meta({ id: "Branches" }),
  message: "Branches",
  example: { as: "amina@demo.example" },
  renames: { pageSize: "query.size", cursor: "query.cursor", country: "query.country" },
  rpc: "remittance.listBranches",
});

export const branchRoutes = [putBranch, listBranches];
