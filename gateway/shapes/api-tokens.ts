import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/api_tokens.js";
import { beside, shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const ApiToken = shape(
  wire.ApiToken,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00a7e75ea59f"),
      name: leaf.name,
      prefix: shown(z.string(), "mnl_4f2a91c7"),
      scopes: z.array(shown(z.string(), "transactions:read")),
      expiresAt: instant,
      lastUsedAt: instant.optional(),
      status: z.enum(["ACTIVE", "ROTATING", "INVALIDATED", "EXPIRED"]),
      createdAt: instant,
    })
    .meta({ id: "ApiToken" }),
  { id: "apiTokenId" },
);

export const NewApiToken = beside(
  wire.CreateApiTokenResponse,
  "apiToken",
  ApiToken,
  ApiToken.extend({
    token: shown(z.string(), "mnl_4f2a91c7Kq8XvT2mB6").meta({ description: "Shown here only." }),
  }).meta({ id: "NewApiToken" }),
);
