import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/api_tokens.js";
import { beside, shape } from "../codec.js";
import { instant } from "../schema.js";

export const ApiToken = shape(
  wire.ApiToken,
  z
    .object({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      scopes: z.array(z.string()),
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
  ApiToken.extend({ token: z.string().meta({ description: "Shown here only." }) }).meta({ id: "NewApiToken" }),
);
