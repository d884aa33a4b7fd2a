import { currencies, isCurrency } from "../../kernel/codes/currencies.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { createFaults } from "../../kernel/text/faults.js";
import { kindRules, routeMethods, waitsForCallers, type PluginKind } from "../../platform/plugins/kinds.js";
import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { isTestedAnew, booksOf } from "./plugin-configuration.js";
import { lackingSecret, type Lack } from "../../platform/plugins/not-ready.js";
import type { PluginRoute } from "../../platform/plugins/route.js";
import { Refusal } from "../../kernel/refusal.js";
import type { FormerWay } from "./plugin-former.js";
import { droppedBy, missingSecrets, secretsAfter } from "./plugin-secrets.js";
import type { SealedField } from "./sealed-field.js";

export const pluginStatuses = ["DRAFT", "TESTED", "ENABLED", "PAUSED", "REMOVING", "REMOVED"] as const;
export type PluginStatus = (typeof pluginStatuses)[number];

export const maxPlugins = 50;
/** A passed test counts for so long. */
export const testCountsForMs = 30 * 86_400_000;
const maxRoutes = 200;
const maxSecretLength = 1_000;

export interface PluginCheck {
  name: string;
  result: string;
  detail: string;
  durationMs: number;
}

export interface PluginTest {
  at: Date;
  hasPassed: boolean;
  /** Of the installation that was tested. */
  revision: number;
  checks: PluginCheck[];
}

export interface PluginSecret {
  sealed: SealedField;
  setAt: Date;
}

/** A partner that a tenant has installed. */
export interface PluginRecord {
  installationId: string;
  type: string;
  kind: PluginKind;
  name: string;
  status: PluginStatus;
  /** With the type's defaults filled in. */
  configurationJson: string;
  /** User id of who set it so. */
  configuredBy: string;
  routes: PluginRoute[];
  /** By the names of the type. */
  secrets: Record<string, PluginSecret>;
  /** Names of those that are to be given anew, since the partner's address is another one. */
  droppedSecrets: string[];
  lastTest?: PluginTest;
  /** Rises with each change of configuration, secrets or routes. */
  revision: number;
  /**
   * The revision that configuration or secrets changed at last: a test of an
   * earlier one says nothing of them.
   */
  testableSince: number;
  /** What waits for a second manager, sealed: it may hold secrets. */
  pending?: { approvalId: string; change: SealedField };
  /** Of one that carries credentials: how those of staff go until a day after its last change. */
  former?: FormerWay;
  /** Its `testableSince` when last paused, having been the way of staff's credentials too. */
  countedSince?: number;
  /** Whose books it lists from, since it was enabled; it keeps them when it is gone. */
  books?: string;
  /** While it is REMOVING: services at which nothing is under way there any more. */
  releasedBy?: string[];
  createdAt: Date;
  changedAt: Date;
}

/** What is asked of an installation; it may wait for a second manager. */
export interface PluginChange {
  /** What people are told that it is. */
  action: "plugin.change" | "plugin.rotate-secret" | "plugin.enable";
  name?: string;
  configurationJson?: string;
  routes?: PluginRoute[];
  /** Values by name. */
  secrets?: Record<string, string>;
}

const gone: readonly PluginStatus[] = ["REMOVING", "REMOVED"];

/**
 * Refuses STATE_CONFLICT for one that is or will be gone, or of which
 * something waits for a second manager.
 */
export function assertChangeable({ status, pending }: Pick<PluginRecord, "status" | "pending">): void {
  if (gone.includes(status)) throw new Refusal("STATE_CONFLICT", `the plugin is ${status}`);
  if (pending === undefined) return;
  throw new Refusal("STATE_CONFLICT", `a change waits for a second manager: approval ${pending.approvalId}`);
}

/** Whether a change of an installation waits for a second manager: where it is more than a name. */
export function needsSecondManager(
  { status }: Pick<PluginRecord, "status">,
  { action, configurationJson, routes, secrets }: PluginChange,
): boolean {
  if (action === "plugin.enable") return true;
  const isMore = configurationJson !== undefined || routes !== undefined || secrets !== undefined;
  return isMore && (status === "ENABLED" || status === "PAUSED");
}

/** What of a change differs from what there is; undefined where nothing does. */
export function differing(before: PluginRecord, change: PluginChange): PluginChange | undefined {
  const { action, name, configurationJson, routes, secrets } = change;
  const differs = {
    ...(name !== undefined && name !== before.name && { name }),
    ...(configurationJson !== undefined && configurationJson !== before.configurationJson && { configurationJson }),
    ...(routes !== undefined && JSON.stringify(routes) !== JSON.stringify(before.routes) && { routes }),
    ...(secrets !== undefined && { secrets }),
  };
  return Object.keys(differs).length === 0 ? undefined : { action, ...differs };
}

/**
 * The installation after a change. Of one that was not enabled yet, other configuration or secrets
 * need another test; an enabled one goes on, by the word of whoever changed it, unless secrets of
 * it are dropped or it would be sent other work: then it is PAUSED.
 */
export function changed(
  before: PluginRecord,
  change: PluginChange,
  secrets: Record<string, PluginSecret> | undefined,
  { actor, now, manifest }: { actor: string; now: Date; manifest: PluginManifest },
): PluginRecord {
  const { name, configurationJson, routes } = change;
  const dropped = droppedBy(before, change, manifest);
  const isOther = configurationJson !== undefined || secrets !== undefined;
  const hasOtherWork =
    configurationJson !== undefined && isTestedAnew(before.configurationJson, configurationJson, manifest);
  const revision = before.revision + (isOther || routes !== undefined ? 1 : 0);
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(configurationJson !== undefined && { configurationJson, configuredBy: actor }),
    ...(routes !== undefined && { routes }),
    ...(isOther && secretsAfter(before, dropped, secrets ?? {})),
    ...(isOther && { testableSince: revision }),
    status: statusAfter(before.status, { isOther, isStopped: dropped.length > 0 || hasOtherWork }),
    revision,
    changedAt: now,
  };
}

function statusAfter(
  status: PluginStatus,
  { isOther, isStopped }: { isOther: boolean; isStopped: boolean },
): PluginStatus {
  if (status === "ENABLED" && isStopped) return "PAUSED";
  return status === "TESTED" && isOther ? "DRAFT" : status;
}

/** With the report of a test. One of what has changed since is kept, and moves nothing. */
export function tested(before: PluginRecord, test: PluginTest): PluginRecord {
  const isOfThis = test.revision >= before.testableSince && test.revision <= before.revision;
  const passes = test.hasPassed && isOfThis && before.status === "DRAFT";
  return { ...before, lastTest: test, status: passes ? "TESTED" : before.status };
}

/** What an installation lacks before it can be ENABLED, each by its path. */
export function lacking(plugin: PluginRecord, manifest: PluginManifest, now: Date): Lack[] {
  const { lastTest, testableSince } = plugin;
  const missing = missingSecrets(plugin, manifest).map(lackingSecret);
  if (!manifest.isCertified) return missing;
  const message =
    lastTest === undefined
      ? "there is none: the plugin must pass one first"
      : !lastTest.hasPassed
        ? "the last one has failed"
        : lastTest.revision < testableSince
          ? "the last one was of an earlier configuration or earlier secrets"
          : now.getTime() - lastTest.at.getTime() > testCountsForMs
            ? "the last one is older than 30 days"
            : undefined;
  return message === undefined ? missing : [...missing, { path: "test", message }];
}

/** ENABLED, of one that lacks nothing any more. */
export function enabled(before: PluginRecord, manifest: PluginManifest, now: Date): PluginRecord {
  const books = booksOf(before.configurationJson, manifest);
  return { ...before, status: "ENABLED", changedAt: now, ...(books !== undefined && { books }) };
}

/** PAUSED from ENABLED; repeating changes nothing. Refuses STATE_CONFLICT. */
export function paused(before: PluginRecord, now: Date): PluginRecord {
  if (before.status === "PAUSED") return before;
  if (before.status !== "ENABLED") throw new Refusal("STATE_CONFLICT", `the plugin is ${before.status}, not ENABLED`);
  const hasCounted = before.former === undefined || before.former.until <= now;
  return {
    ...before,
    status: "PAUSED",
    changedAt: now,
    ...(hasCounted && { countedSince: before.testableSince }),
  };
}

/**
 * Gone at once where nothing can be under way there; else when its owner says
 * so. Repeating changes nothing.
 */
export function removed(before: PluginRecord, now: Date): PluginRecord {
  if (gone.includes(before.status)) return before;
  const wasEnabled = before.status === "ENABLED" || before.status === "PAUSED";
  if (wasEnabled && waitsForCallers(before.kind)) return { ...before, status: "REMOVING", changedAt: now };
  return without(before, now);
}

/**
 * By the word of one of its callers that nothing is under way there any more: REMOVED once each of
 * them has said so. Repeating changes nothing. Refuses STATE_CONFLICT unless it is REMOVING.
 */
export function released(before: PluginRecord, caller: string, now: Date): PluginRecord {
  if (before.status === "REMOVED") return before;
  if (before.status !== "REMOVING") throw new Refusal("STATE_CONFLICT", `the plugin is ${before.status}, not REMOVING`);
  const already = before.releasedBy ?? [];
  if (already.includes(caller)) return before;
  const releasedBy = [...already, caller];
  const isOver = kindRules[before.kind].callers.every((one) => releasedBy.includes(one));
  return isOver ? without(before, now) : { ...before, releasedBy };
}

/** Its secrets go with it. */
function without(before: PluginRecord, now: Date): PluginRecord {
  const { former: _former, ...rest } = before;
  return { ...rest, status: "REMOVED", secrets: {}, droppedSecrets: [], changedAt: now };
}

/** Refuses PLUGIN_LIMIT_REACHED for one more than a tenant may have. */
export function assertRoom(plugins: number): void {
  if (plugins < maxPlugins) return;
  throw new Refusal("PLUGIN_LIMIT_REACHED", `an organisation has at most ${maxPlugins} plugins that are not removed`);
}

/** Secrets of a type, by its rules. Refuses INVALID_INPUT at each one's path; names no value. */
export function parseSecrets(given: Readonly<Record<string, string>>, { secrets: fields }: PluginManifest) {
  const faults = createFaults();
  for (const [name, value] of Object.entries(given)) {
    const path = `secrets.${name}`;
    const field = fields.find((one) => one.name === name);
    if (field === undefined) {
      const known = fields.map((one) => one.name).join(", ");
      faults.add(path, `is no secret of this type: it has ${known === "" ? "none" : known}`);
    } else if (value === "" || value.length > maxSecretLength || /\p{Cc}/u.test(value)) {
      faults.add(path, `must have 1 to ${maxSecretLength} characters in one line`);
    } else if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`).test(value)) {
      faults.add(path, `must match ${field.pattern}`);
    }
  }
  faults.refuseIfAny();
  return { ...given };
}

/** Routes of a kind. Refuses INVALID_INPUT at each fault's path. */
export function parseRoutes(given: readonly PluginRoute[], kind: PluginKind): PluginRoute[] {
  const faults = createFaults();
  if (given.length > 0 && !kindRules[kind].isRouted) faults.add("routes", `a plugin of kind ${kind} has none`);
  if (given.length > maxRoutes) faults.add("routes", `must have at most ${maxRoutes} entries`);
  faults.refuseIfAny();
  const routes = given.map((route, at) => parseRoute(route, `routes[${at}]`, faults));
  const places = routes.map(({ priority: _priority, ...place }) => JSON.stringify(place));
  places.forEach((place, at) => {
    if (places.indexOf(place) !== at) faults.add(`routes[${at}]`, "is there twice");
  });
  faults.refuseIfAny();
  return routes;
}

function parseRoute(route: PluginRoute, path: string, faults: ReturnType<typeof createFaults>): PluginRoute {
  const country = (name: "originCountry" | "receivingCountry") =>
    route[name] === "" ? "" : (faults.of(() => toAlpha3(route[name], `${path}.${name}`)) ?? "");
  for (const name of ["sendCurrency", "receivingCurrency"] as const) {
    if (route[name] !== "" && !isCurrency(route[name])) {
      faults.add(`${path}.${name}`, `must be an ISO 4217 currency code, such as ${currencies[0]!.code}`);
    }
  }
  const { method, priority, sendCurrency, receivingCurrency } = route;
  if (method !== "" && !routeMethods.some((one) => one === method)) {
    faults.add(`${path}.method`, `must be one of ${routeMethods.join(", ")}`);
  }
  if (!Number.isInteger(priority) || priority < 1 || priority > 1_000) {
    faults.add(`${path}.priority`, "must be 1 to 1000");
  }
  const [originCountry, receivingCountry] = [country("originCountry"), country("receivingCountry")];
  return { originCountry, sendCurrency, receivingCountry, receivingCurrency, method, priority };
}
