import { z } from "zod";
import type { Branch as WireBranch } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { countryIn, maybe, text } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, pageOf } from "./cursor-pages.js";

const base = `${v6}/branches`;

const BranchRequest = z
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
  .meta({ id: "BranchRequest" });

const Branch = z
  .object({
    code: z.string(),
    name: z.string(),
    country: z.string(),
    city: z.string().optional(),
    address: z.string().optional(),
    phoneNumber: z.string().optional(),
    openingHours: z.string().optional(),
    allocatedTo: z.string(),
    enabled: z.boolean(),
    version: z.int(),
  })
  .meta({ id: "Branch" });

const putBranch = route({
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
  run: async ({ body, call, clients }) => {
    const branch = {
      code: body.code,
      name: body.name,
      country: body.country,
      city: body.city ?? "",
      address: body.address ?? "",
      phoneNumber: body.phoneNumber ?? "",
      openingHours: body.openingHours ?? "",
      allocatedTo: body.allocatedTo ?? "",
      enabled: body.enabled ?? true,
    };
    return branchFromWire(filled((await clients.remittance.putBranch({ branch }, outgoing(call))).branch, "branch"));
  },
});

const listBranches = route({
  method: "get",
  path: base,
  operationId: "listBranches",
  tag: "Branches",
  summary: "List the organisation's branches: managers all, others what is open to them",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "transactions:read"],
  query: cursorQuery.extend({ country: countryIn.optional() }),
  answer: z.object({ branches: z.array(Branch), nextCursor: z.string().optional() }).meta({ id: "Branches" }),
  message: "Branches",
  example: { as: "amina@demo.example" },
  renames: { pageSize: "query.size", cursor: "query.cursor", country: "query.country" },
  run: async ({ query, call, clients }) => {
    const request = { country: query.country ?? "", ...pageOf(query) };
    const { branches, nextCursor } = await clients.remittance.listBranches(request, outgoing(call));
    return { branches: branches.map(branchFromWire), nextCursor: absentIfEmpty(nextCursor) };
  },
});

export const branchRoutes = [putBranch, listBranches];

function branchFromWire(branch: WireBranch): z.output<typeof Branch> {
  const { code, name, country, allocatedTo, enabled, version } = branch;
  return {
    code,
    name,
    country,
    city: absentIfEmpty(branch.city),
    address: absentIfEmpty(branch.address),
    phoneNumber: absentIfEmpty(branch.phoneNumber),
    openingHours: absentIfEmpty(branch.openingHours),
    allocatedTo,
    enabled,
    version,
  };
}
