import { z } from "zod";
import type { Plugin as WirePlugin, PluginRoute as WireRoute } from "../../proto/gen/identity/v1/plugins.js";
import { pluginKinds, pluginKindOf, routeMethods, type PluginKind } from "../../services/platform/plugins/kinds.js";
import { pluginTypeOf } from "../../services/platform/plugins/types/index.js";
import type { EdgeCall } from "../route.js";
import { freeJsonToWire } from "../free-json.js";
import { countryIn, currencyCode, instant, maybe, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";
import { v6 } from "./base.js";
import { idIn } from "./cursor-pages.js";

export const pluginsBase = `${v6}/admin/plugin-management`;
export const pluginPath = z.object({ installationId: idIn });
/** Paths of faults in the contract's words. */
export const pluginKeys = { idempotencyKey: "headers.x-idempotency-key" };

export const pluginStatuses = ["DRAFT", "TESTED", "ENABLED", "PAUSED", "REMOVING", "REMOVED"] as const;
const environments = ["LIVE", "SANDBOX"] as const;
const checkResults = ["PASSED", "FAILED", "LEFT_OUT"] as const;
const breakerStates = ["CLOSED", "OPEN"] as const;
export const kindIn = z.enum(pluginKinds);

export const nameIn = text(100).meta({ description: "In one line.", examples: ["Lagos payouts"] });
export const configurationIn = z.record(z.string(), z.unknown()).meta({
  description: "By the configurationSchema of the type; URLs are https and lead to public addresses.",
});
export const secretsIn = z.record(z.string(), text(1_000)).meta({
  description: "Values by the names that the type has; they are never shown again.",
});

const Route = z
  .object({
    originCountry: z.string().optional().meta({ description: "Absent for every country." }),
    sendCurrency: z.string().optional().meta({ description: "Absent for every currency." }),
    receivingCountry: z.string().optional(),
    receivingCurrency: z.string().optional(),
    method: z.enum(routeMethods).optional().meta({ description: "Absent for every delivery method." }),
    priority: z.number().int().meta({ description: "1 goes first." }),
  })
  .meta({ id: "PluginRoute" });

const RouteIn = z
  .object({
    originCountry: maybe(countryIn),
    sendCurrency: maybe(currencyCode),
    receivingCountry: maybe(countryIn),
    receivingCurrency: maybe(currencyCode),
    method: maybe(z.enum(routeMethods)),
    priority: wholeNumberIn(1, 1_000),
  })
  .meta({ id: "PluginRouteRequest" });
export const routesIn = z.array(RouteIn).max(200);

export const Plugin = z
  .object({
    installationId: z.string(),
    type: z.string(),
    kind: kindIn,
    name: z.string(),
    environment: z.enum(environments).meta({ description: "As the organisation: a sandbox has plugins of its own." }),
    status: z.enum(pluginStatuses),
    configuration: z.record(z.string(), z.unknown()),
    secrets: z
      .array(z.object({ name: z.string(), setAt: instant }))
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
            name: z.string(),
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
  .meta({ id: "Plugin" });

export function pluginFromWire(wire: WirePlugin | undefined): z.output<typeof Plugin> {
  const one = filled(wire, "plugin");
  const { lastTest, health } = one;
  return {
    installationId: one.installationId,
    type: one.type,
    kind: kindOf(one),
    name: one.name,
    environment: one.environment as (typeof environments)[number],
    status: one.status as (typeof pluginStatuses)[number],
    configuration: JSON.parse(one.configurationJson) as Record<string, unknown>,
    secrets: one.secrets.map(({ name, setAt }) => ({ name, setAt: timeText(setAt, "secret.set_at") })),
    missingSecrets: one.missingSecrets,
    routes: one.routes.map(routeFromWire),
    callbackPath: pluginTypeOf(one.type)?.hasCallbacks ? `/callbacks/plugins/${one.installationId}` : undefined,
    lastTest: lastTest && {
      at: timeText(lastTest.at, "test.at"),
      hasPassed: lastTest.hasPassed,
      revision: Number(lastTest.revision),
      checks: lastTest.checks.map(({ name, result, detail, durationMs }) => ({
        name,
        result: result as (typeof checkResults)[number],
        detail: absentIfEmpty(detail),
        durationMs,
      })),
    },
    health: health && {
      calls: health.calls,
      errors: health.errors,
      p50Ms: health.p50Ms,
      p95Ms: health.p95Ms,
      breaker: health.breaker as (typeof breakerStates)[number],
      lastCallAt: health.lastCallAt?.toISOString(),
      lastErrorAt: health.lastErrorAt?.toISOString(),
    },
    revision: Number(one.revision),
    pendingApprovalId: absentIfEmpty(one.pendingApprovalId),
    createdAt: timeText(one.createdAt, "plugin.created_at"),
    changedAt: timeText(one.changedAt, "plugin.changed_at"),
  };
}

/** The answer to a change: 202 where it waits for another manager. */
export function changedFromWire(wire: WirePlugin | undefined, call: Pick<EdgeCall, "markWaiting">) {
  const plugin = pluginFromWire(wire);
  if (plugin.pendingApprovalId !== undefined) call.markWaiting();
  return plugin;
}

export function kindOf({ kind }: Pick<WirePlugin, "kind">): PluginKind {
  const known = pluginKindOf(kind);
  if (known === undefined) throw new Error(`identity knows a kind of plugin that this edge does not: ${kind}`);
  return known;
}

export function configurationToWire(configuration: Record<string, unknown>): { configurationJson: string } {
  return { configurationJson: JSON.stringify(freeJsonToWire(configuration, "configuration")) };
}

export function routesToWire(routes: z.output<typeof routesIn>): WireRoute[] {
  return routes.map((route) => ({
    originCountry: route.originCountry ?? "",
    sendCurrency: route.sendCurrency ?? "",
    receivingCountry: route.receivingCountry ?? "",
    receivingCurrency: route.receivingCurrency ?? "",
    method: route.method ?? "",
    priority: route.priority,
  }));
}

function routeFromWire(route: WireRoute): z.output<typeof Route> {
  return {
    originCountry: absentIfEmpty(route.originCountry),
    sendCurrency: absentIfEmpty(route.sendCurrency),
    receivingCountry: absentIfEmpty(route.receivingCountry),
    receivingCurrency: absentIfEmpty(route.receivingCurrency),
    method: absentIfEmpty(route.method) as (typeof routeMethods)[number] | undefined,
    priority: route.priority,
  };
}
