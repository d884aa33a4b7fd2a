import { isIP } from "node:net";

/**
 * The client's address: the socket's, or behind `hops` proxies of ours the entry of X-Forwarded-For that the outermost of
 * them wrote. What stands further left was written by the client and is believed by nobody.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string, hops: number): string {
  const own = plain(socketAddress ?? "");
  if (hops === 0) return own;
  const chain = forwardedFor.split(",").map((entry) => plain(entry.trim()));
  const named = chain.at(-hops);
  return named !== undefined && isIP(named) !== 0 ? named : own;
}

/** An IPv4 client on an IPv6 socket is the IPv4 client; a port that some proxies add is left out. */
function plain(address: string): string {
  const unmapped = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return /^\[(.+)\](?::\d+)?$/.exec(unmapped)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(unmapped)?.[1] ?? unmapped;
}

/** What a limit per address counts by: an IPv6 client has a /64 network to choose addresses from. */
export function limitKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head, tail = ""] = address.split("%")[0]!.split("::") as [string, string?];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::")
    ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0")
    : [];
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
