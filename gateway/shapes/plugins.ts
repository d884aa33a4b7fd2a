import { z } from "zod";
import * as wire from "../../proto/gen/identity/v1/plugins.js";
import {
  pluginKinds,
  pluginKindOf,
  routeMethods,
  trusts,
  type PluginKind,
} from "../../services/platform/plugins/kinds.js";
import { pluginTypeOf } from "../../services/platform/plugins/types/index.js";
import { shape } from "../codec.js";
import { freeJsonToWire } from "../free-json.js";
import { countryIn, currencyCode, instant, maybe, text, wholeNumberIn, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const pluginStatuses = ["DRAFT", "TESTED", "ENABLED", "PAUSED", "REMOVING", "REMOVED"] as const;
const environments = ["LIVE", "SANDBOX"] as const;
const checkResults = ["PASSED", "FAILED", "LEFT_OUT"] as const;
const breakerStates = ["CLOSED", "OPEN"] as const;
const callOutcomes = ["OK", "REFUSED", "UNKNOWN"] as const;
export const kindIn = z.enum(pluginKinds);

export const nameIn = text(100).meta({ description: "In one line.", examples: ["Lagos payouts"] });
export const configurationIn = z.record(z.string(), z.unknown()).meta({
  description: "By the configurationSchema of the type; URLs are https and lead to public addresses.",
});
export const secretsIn = z.record(z.string(), text(1_000)).meta({
  description: "Values by the names that the type has; they are never shown again.",
});

type Free = Record<string, unknown>;

/** Refuses INVALID_INPUT for a number that a double would change. */
export function configurationToWire(configuration: Free): { configurationJson: string } {
  return { configurationJson: JSON.stringify(freeJsonToWire(configuration, "configuration")) };
}

function objectOf(json: string): Free {
  return json === "" ? {} : (JSON.parse(json) as Free);
}

/** Where a configuration lies in a message. */
export const configurationField = {
  configuration: {
    from: ({ configurationJson }: { configurationJson: string }) => objectOf(configurationJson),
    to: configurationToWire,
  },
};

const Route = shape(
  wire.PluginRoute,
  z
    .object({
      originCountry: leaf.originCountry.optional().meta({ description: "Absent for every country." }),
      sendCurrency: z.string().optional().meta({ description: "Absent for every currency." }),
      receivingCountry: z.string().optional(),
      receivingCurrency: leaf.receivingCurrency.optional(),
      method: z.enum(routeMethods).optional().meta({ description: "Absent for every delivery method." }),
      priority: z.number().int().meta({ description: "1 goes first." }),
    })
    .meta({ id: "PluginRoute" }),
);

const RouteIn = shape(
  wire.PluginRoute,
  z
    .object({
      originCountry: maybe(countryIn),
      sendCurrency: maybe(currencyCode),
      receivingCountry: maybe(countryIn),
      receivingCurrency: maybe(currencyCode),
      method: maybe(z.enum(routeMethods)),
      priority: wholeNumberIn(1, 1_000),
    })
    .meta({ id: "PluginRouteRequest" }),
);
export const routesIn = z.array(RouteIn).max(200);

export const Plugin = shape(
  wire.Plugin,
  z
    .object({
      installationId: z.string(),
      type: z.string(),
      kind: kindIn,
      name: leaf.name,
      environment: z.enum(environments).meta({ description: "As the organisation: a sandbox has plugins of its own." }),
      status: z.enum(pluginStatuses),
      configuration: z.record(z.string(), z.unknown()),
      secrets: z
        .array(z.object({ name: leaf.name, setAt: instant }))
        .meta({ description: "Which are set, and since when; what they are is never shown." }),
      missingSecrets: z.array(z.string()).meta({
        description:
          "Secrets that are to be given before it is tested or enabled: those that its type requires, and those that were dropped when its address changed.",
      }),
      routes: z.array(Route),
      callbackPath: z.string().optional().meta({ description: "Where the partner calls back, below our address." }),
      lastTest: z
        .object({
          at: instant,
          hasPassed: z.boolean(),
          revision: z.number().int().meta({ description: "Of the plugin as it was tested." }),
          checks: z.array(
            z.object({
              name: leaf.name,
              result: z.enum(checkResults),
              detail: z.string().optional().meta({ description: "What was seen; absent of what passed." }),
              durationMs: z.number().int(),
            }),
          ),
        })
        .optional(),
      health: z
        .object({
          calls: z.number().int(),
          errors: z.number().int(),
          p50Ms: z.number().int(),
          p95Ms: z.number().int(),
          breaker: z.enum(breakerStates),
          lastCallAt: instant.optional(),
          lastErrorAt: instant.optional(),
        })
        .optional()
        .meta({ description: "Of the calls of the last 15 minutes; in answers to reads alone." }),
      revision: z.number().int().meta({ description: "Rises with each change of configuration, secrets or routes." }),
      pendingApprovalId: z
        .string()
        .optional()
        .meta({ description: "What waits for another manager: a change, or that it is enabled." }),
      createdAt: instant,
      changedAt: instant,
    })
    .meta({ id: "Plugin" }),
  {
    ...configurationField,
    callbackPath: ({ type, installationId }) =>
      pluginTypeOf(type)?.hasCallbacks ? `/callbacks/plugins/${installationId}` : undefined,
  },
);

export const PluginType = shape(
  wire.PluginType,
  z
    .object({
      name: leaf.name,
      kind: kindIn,
      title: z.string(),
      version: z.string(),
      capabilities: z.array(z.string()),
      configurationSchema: z.record(z.string(), z.unknown()).meta({
        description:
          "JSON Schema 2020-12; isAddress marks what says where secrets are sent, isTemplate what may hold {{secret}}.",
      }),
      secrets: z.array(z.object({ name: leaf.name, title: z.string(), isRequired: z.boolean() })),
      hasCallbacks: z.boolean(),
      trustedWith: z.enum(trusts).meta({
        description:
          "What a partner of it has in its hands. Enabling it, and changing it afterwards, takes two managers and no API token.",
      }),
      isCertified: z.boolean().meta({ description: "It is enabled only after a passed test." }),
    })
    .meta({ id: "PluginType" }),
  {
    configurationSchema: {
      from: ({ configurationSchemaJson }) => objectOf(configurationSchemaJson),
      to: (schema) => ({ configurationSchemaJson: JSON.stringify(schema) }),
    },
  },
);

/** What was asked of a partner, without what was in it. */
export const PluginCall = shape(
  wire.PluginCall,
  z
    .object({
      callId: z.string(),
      at: instant,
      operation: leaf.operation,
      reference: leaf.reference.optional().meta({ description: "Ours, such as a transaction's id." }),
      status: z.number().int().optional().meta({ description: "The partner's; absent where there was no answer." }),
      durationMs: z.number().int(),
      outcome: z.enum(callOutcomes),
    })
    .meta({ id: "PluginCall" }),
);

export const PluginChange = shape(
  wire.PluginChange,
  z
    .object({
      changeId: z.string(),
      at: instant,
      actor: leaf.userId,
      action: z.string().meta({ examples: ["plugin.enable"] }),
      reason: leaf.reason.optional(),
      detail: shown(z.string(), "configuration.url, routes")
        .optional()
        .meta({ description: "In one line.", examples: ["configuration.url, routes"] }),
    })
    .meta({ id: "PluginChange" }),
);

export function kindOf({ kind }: Pick<wire.Plugin, "kind">): PluginKind {
  const known = pluginKindOf(kind);
  if (known === undefined) throw new Error(`identity knows a kind of plugin that this edge does not: ${kind}`);
  return known;
}
