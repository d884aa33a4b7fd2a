import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import type { RunOnce } from "../../kernel/idempotency/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { authorityOf, isAllowedOrigin, urlOf, type AllowedOrigins } from "../../platform/partners/address.js";
import { assertReachable, type Resolve } from "../../platform/partners/addresses.js";
import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { serverOf, urlsOf } from "../domain/plugin-configuration.js";
import type { IdentityStore } from "../store/index.js";

/** What rpcs about plugins work with. */
export interface PluginDeps {
  db: Connection;
  store: IdentityStore;
  runOnce: RunOnce;
  outbox: Outbox;
  clock: Clock;
  resolve: Resolve;
  /** Where a tenant's partners may be although it is http or not public. */
  allowedOf(tenantId: string): AllowedOrigins;
  /** Ends when nobody goes by what was installed before. */
  untilKnown: () => Promise<void>;
}

/** An operator names it as an origin of http, as for URLs. */
const isAllowedServer = (authority: string, allowed: AllowedOrigins): boolean =>
  URL.canParse(`http://${authority}`) && isAllowedOrigin(new URL(`http://${authority}`), allowed);

/**
 * Refuses INVALID_INPUT at each URL's path that is not https and public, or leads to nobody, and at
 * a host of which the same is true.
 */
export async function assertPartnersReachable(
  { resolve, allowedOf }: Pick<PluginDeps, "resolve" | "allowedOf">,
  { configuration, manifest }: { configuration: Readonly<Record<string, unknown>>; manifest: PluginManifest },
  tenantId: string,
): Promise<void> {
  const allowed = allowedOf(tenantId);
  for (const { path, url } of urlsOf(configuration, manifest)) {
    await assertReachable(urlOf(url, allowed, path), allowed, resolve, path);
  }
  const server = serverOf(configuration, manifest);
  const path = "configuration.host";
  if (server === undefined) return;
  const authority = authorityOf(server.host, server.port);
  if (isAllowedServer(authority, allowed)) return;
  await assertReachable(urlOf(`https://${authority}`, allowed, path), allowed, resolve, path);
}
