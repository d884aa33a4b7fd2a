import { z } from "zod";
import { createSchema, type SchemaResult, type ZodOpenApiPathsObject, type ZodOpenApiSchemaObject } from "zod-openapi";
import { bodySchema, documentedTypes } from "../services/shared/events/declare.js";

const headers = z.object({
  "webhook-id": z.string().meta({ description: "The event's id, the same at every try." }),
  "webhook-timestamp": z.string().meta({ description: "Of this try, Unix time in seconds." }),
  "webhook-signature": z.string().meta({
    description:
      "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, one for each live secret, by Standard Webhooks.",
  }),
  "webhook-given-up": z
    .string()
    .optional()
    .meta({ description: "Sequences of the subject just before this one that were given up, such as 3 or 3-5." }),
});

type Components = SchemaResult["components"];

export interface Webhooks {
  webhooks: ZodOpenApiPathsObject;
  /** What bodies refer to, in the form of answers. Members may be added at any time. */
  components: Components;
}

/** What is sent to webhook endpoints: an operation of theirs for each type of event. */
export function webhooksOf(): Webhooks {
  const components: Components = {};
  const entries = documentedTypes().map(({ type, summary, isConfidential }) => {
    const note = isConfidential ? " Sent to endpoints with includesConfidential alone." : "";
    const sent = createSchema(bodySchema(type), { io: "output" });
    Object.assign(components, opened(sent.components));
    const operation = {
      tags: ["Webhooks"],
      summary,
      description: `${summary}.${note}`,
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: { "application/json": { schema: opened(sent.schema) as ZodOpenApiSchemaObject } },
      },
      responses: { "2XX": { description: "Taken. Anything else is tried again; 410 disables the endpoint." } },
    };
    return [type, { post: operation }] as const;
  });
  return { webhooks: Object.fromEntries(entries), components };
}

/** A copy that allows members beyond those it names. */
function opened<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, withoutClosing)) as Schema;
}

function withoutClosing(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}
