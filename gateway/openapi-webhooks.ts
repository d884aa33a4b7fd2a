import { z } from "zod";
import { createSchema, type SchemaResult, type ZodOpenApiPathsObject, type ZodOpenApiSchemaObject } from "zod-openapi";
import { bodySchema, documentedTypes } from "../services/platform/events/declare.js";

const headers = z.object({
  "webhook-id": z.string().meta({
    description: "The event's id, the same at every try.",
    examples: ["0199d0c2-5d1f-7b3a-8c44-3f5e9a7d2b10"],
  }),
  "webhook-timestamp": z.string().meta({ description: "Of this try, Unix time in seconds.", examples: ["1795256100"] }),
  "webhook-signature": z.string().meta({
    description:
      "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, one for each live secret, by Standard Webhooks.",
    examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
  }),
  "webhook-given-up": z
    .string()
    .optional()
    .meta({ description: "Sequences of the subject just before this one that were given up.", examples: ["3-5"] }),
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
      operationId: operationIdOf(type),
      summary,
      description:
        `${summary}.${note} Sent to each endpoint that asked for \`${type}\`, signed, and again until it is taken: ` +
        "process each id once. `sequence` counts what happened to the subject.",
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

/** "transaction.ready_for_pickup" is received by onTransactionReadyForPickup. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `on${words.join("")}`;
}

/** A copy that allows members beyond those it names. */
function opened<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, withoutClosing)) as Schema;
}

function withoutClosing(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}
