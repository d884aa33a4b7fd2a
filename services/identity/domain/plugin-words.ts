import { changeOf, maxSummary, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import type { PluginKind } from "../../platform/plugins/kinds.js";
import type { PluginRoute } from "../../platform/plugins/route.js";
import type { PluginChange, PluginRecord } from "./plugins.js";

const maxValue = 80;

const kindWords: Readonly<Record<PluginKind, string>> = {
  PAYOUT: "payout partner",
  BANK: "bank",
  CARD: "card acquirer",
  FX_RATES: "source of rates",
  EMAIL: "mail partner",
  SMS: "text message partner",
  CONTACT_VERIFICATION: "verifier of contacts",
  SCREENING_LIST: "screening list",
  IDENTITY_CHECK: "identity check",
  PAYEE_CHECK: "payee check",
};

/**
 * What of an installation a change is about, and the secrets that it drops, in one line:
 * names, and never what a secret is.
 */
export function changedParts(before: PluginRecord, change: PluginChange, dropped: readonly string[]): string {
  const { name, configurationJson, routes, secrets } = change;
  const parts = [
    ...(name === undefined ? [] : ["name"]),
    ...(configurationJson === undefined
      ? []
      : changedFields(before, configurationJson).map((one) => `configuration.${one}`)),
    ...(routes === undefined ? [] : ["routes"]),
    ...Object.keys(secrets ?? {}).map((secret) => `secrets.${secret}`),
    ...dropped.map((secret) => `secrets.${secret} dropped`),
  ];
  return cut(parts.join(", "), maxSummary);
}

/** For the second manager: what would be, as far as it may be shown and fits into one line. */
export function approvalSummary(before: PluginRecord, change: PluginChange, dropped: readonly string[]): string {
  const partner = `${kindWords[before.kind]} "${before.name}"`;
  if (change.action === "plugin.enable") {
    const routed = before.routes.length === 0 ? [] : [routeWords(before.routes)];
    const what = [...routed, ...newValues({ configurationJson: "{}" }, before.configurationJson)];
    return cut(`Enable the ${partner}: ${what.join("; ")}`, maxSummary);
  }
  const { name, configurationJson, routes, secrets } = change;
  const parts = [
    // First, since what is too long is cut off.
    ...(dropped.length === 0 ? [] : [`without its secrets ${dropped.join(", ")} until they are given anew`]),
    ...(name === undefined ? [] : [`name "${name}"`]),
    ...(configurationJson === undefined ? [] : newValues(before, configurationJson)),
    ...(secrets === undefined ? [] : [`new secrets ${Object.keys(secrets).join(", ")}`]),
    ...(routes === undefined ? [] : [routes.length === 0 ? "no routes" : `routes ${routeWords(routes)}`]),
  ];
  return cut(`Change the ${partner}: ${parts.join("; ")}`, maxSummary);
}

/** The whole of what would be, field by field, for the second manager; never what a secret is. */
export function approvalChanges(
  before: PluginRecord,
  change: PluginChange,
  dropped: readonly string[],
): ApprovalChange[] {
  const isNew = change.action === "plugin.enable";
  const was = isNew ? {} : configurationOf(before.configurationJson);
  const is = configurationOf(isNew ? before.configurationJson : (change.configurationJson ?? before.configurationJson));
  const routes = isNew ? before.routes : change.routes;
  return [
    ...changeOf("name", isNew ? "" : before.name, isNew ? before.name : (change.name ?? before.name)),
    ...[...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
      changeOf(`configuration.${name}`, shown(was[name]), shown(is[name])),
    ),
    ...(routes === undefined ? [] : changeOf("routes", isNew ? "" : routeWords(before.routes), routeWords(routes))),
    ...Object.keys(change.secrets ?? {}).flatMap((secret) => changeOf(`secrets.${secret}`, "", "a new one")),
    ...dropped.flatMap((secret) => changeOf(`secrets.${secret}`, "the one of before", "none")),
  ];
}

const shown = (value: unknown) => (typeof value === "string" || value === undefined ? value : JSON.stringify(value));

function changedFields({ configurationJson }: Pick<PluginRecord, "configurationJson">, after: string): string[] {
  const [was, is] = [configurationOf(configurationJson), configurationOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
}

function newValues(before: Pick<PluginRecord, "configurationJson">, after: string): string[] {
  const is = configurationOf(after);
  return changedFields(before, after).map((name) =>
    is[name] === undefined ? `no ${name}` : `${name} ${cut(JSON.stringify(is[name]), maxValue)}`,
  );
}

function routeWords(routes: readonly PluginRoute[]): string {
  const all = (text: string) => (text === "" ? "any" : text);
  return routes
    .map((one) => {
      const from = `${all(one.originCountry)} ${all(one.sendCurrency)}`;
      return `${from} - ${all(one.receivingCountry)} ${all(one.receivingCurrency)} ${all(one.method)} (${one.priority})`;
    })
    .join(", ");
}

const configurationOf = (json: string) => JSON.parse(json) as Record<string, unknown>;

/** In one line that is no longer. */
function cut(text: string, length: number): string {
  const line = text.replaceAll(/\p{Cc}+/gu, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
