import { kindRules } from "../../platform/plugins/kinds.js";
import type { PluginChange, PluginRecord } from "./plugins.js";

/** Credentials of staff go by the way that counted before for so long after a change. */
export const formerWayCountsForMs = 86_400_000;

type Way = Pick<PluginRecord, "configurationJson" | "secrets" | "droppedSecrets" | "revision">;

/** How credentials of staff go although the installation is another one by now. */
export interface FormerWay {
  until: Date;
  /** As it was; absent where it was not enabled: they do not go by this installation. */
  way?: Way;
}

/**
 * The installation after a change, with the way that counted before it: two managers who turn the
 * mail to a server of their own must not have the others' passwords by it before these can object.
 */
export function keepingFormer(
  before: PluginRecord,
  after: PluginRecord,
  change: PluginChange,
  now: Date,
): PluginRecord {
  if (kindRules[before.kind].trustedWith !== "CREDENTIALS") return after;
  const until = new Date(now.getTime() + formerWayCountsForMs);
  if (change.action === "plugin.enable") return enabledKeepingFormer(before, after, until, now);
  const isOther = change.configurationJson !== undefined || change.secrets !== undefined;
  if (!isOther) return after;
  const { former: _former, ...rest } = after;
  if (before.status !== "ENABLED" || after.status !== "ENABLED") return rest;
  // A second change within the day does not make the first one the way that counted.
  if (isCounting(before.former, now)) return { ...rest, former: { ...before.former, until } };
  const { configurationJson, secrets, droppedSecrets, revision } = before;
  return { ...rest, former: { until, way: { configurationJson, secrets, droppedSecrets, revision } } };
}

function enabledKeepingFormer(before: PluginRecord, after: PluginRecord, until: Date, now: Date): PluginRecord {
  const { former: _former, ...rest } = after;
  // Pausing in between does not make what was turned a moment ago the way that counted.
  if (isCounting(before.former, now)) return { ...rest, former: { ...before.former, until } };
  // As it was when it was paused: staff may have no other way to be sent a code.
  if (before.countedSince === before.testableSince) return rest;
  return { ...rest, former: { until } };
}

/**
 * The installation that credentials of staff go by at this moment;
 * undefined where they do not go by it.
 */
export function wayOfStaff(plugin: PluginRecord, now: Date): PluginRecord | undefined {
  const { former, ...rest } = plugin;
  if (!isCounting(former, now)) return plugin;
  if (former.way === undefined) return undefined;
  return { ...rest, ...former.way };
}

/** Without a way that counts no more: its secrets go too. */
export function withoutFormer(plugin: PluginRecord, now: Date): PluginRecord {
  if (plugin.former === undefined || isCounting(plugin.former, now)) return plugin;
  const { former: _former, ...rest } = plugin;
  return rest;
}

const isCounting = (former: FormerWay | undefined, now: Date): former is FormerWay =>
  former !== undefined && former.until > now;
