import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import { hostOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "./address.js";
import { AddressRefused, pinnedLookup, type Resolve } from "./addresses.js";

const keepAliveMs = 30_000;

export type PinnedAgents = ReturnType<typeof createPinnedAgents>;

/** Connections to what tenants name: to addresses that were checked when they were connected to. */
export function createPinnedAgents(resolve: Resolve) {
  const keep = { keepAlive: true, maxFreeSockets: 64, timeout: keepAliveMs };
  const lookup = pinnedLookup(resolve);
  // Sockets to what the operator allows sandboxes are theirs alone: a live tenant's request must
  // not find one open.
  const checked = new HttpsAgent({ ...keep, lookup });
  const allowed = { http: new HttpAgent(keep), https: new HttpsAgent(keep) };

  return {
    /** Throws AddressRefused for what is neither allowed nor https to a public address. */
    agentOf(url: URL, origins: AllowedOrigins): HttpAgent | HttpsAgent {
      if (isAllowedOrigin(url, origins)) return url.protocol === "http:" ? allowed.http : allowed.https;
      if (url.protocol !== "https:") throw new AddressRefused("only https is sent to");
      const host = hostOf(url);
      if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(`${host} is not public`);
      return checked;
    },
    close(): void {
      for (const agent of [checked, ...Object.values(allowed)]) agent.destroy();
    },
  };
}
