import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { invalidInput } from "../../kernel/refusal.js";
import { hostOf, isAllowedOrigin, isPublicAddress, type AllowedOrigins } from "./address.js";

/** All addresses of a name. Throws where it has none, or nobody answers. */
export type Resolve = (host: string) => Promise<string[]>;

/** Nothing is ever sent to such an address. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/** Asks the name servers, each for a short time: such names are never looked up in files. */
export function createResolve({ timeoutMs = 2_000, tries = 2 } = {}): Resolve {
  return async (host) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    const requested = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = requested.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (found.length > 0) return found;
    throw requested.find((one) => one.status === "rejected")?.reason ?? new Error(`${host} has no address`);
  };
}

/** Addresses of a host. Throws AddressRefused where one of them is not public. */
async function publicAddresses(host: string, resolve: Resolve): Promise<string[]> {
  const found = isIP(host) === 0 ? await resolve(host) : [host];
  // One that is private among public ones is somebody's try: it could be the one that is chosen.
  if (found.length === 0 || !found.every(isPublicAddress)) throw new AddressRefused(`${host} is not public`);
  return found;
}

/** Refuses INVALID_INPUT at `path` where its host has no address, or one that is not public. */
export async function assertReachable(
  url: URL,
  allowed: AllowedOrigins,
  resolve: Resolve,
  path = "url",
): Promise<void> {
  if (isAllowedOrigin(url, allowed)) return;
  try {
    await publicAddresses(hostOf(url), resolve);
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidInput(path, "leads to a private address");
    throw invalidInput(path, "names a host that has no address");
  }
}

/**
 * For a socket: the addresses that were checked are the ones that are connected to. A name that
 * leads elsewhere a moment later makes no difference.
 */
export function pinnedLookup(resolve: Resolve): LookupFunction {
  return (host, { all }, callback) => {
    publicAddresses(host, resolve).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        if (all === true) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}
