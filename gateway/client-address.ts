import { isIP } from "node:net";

/**
 * The client's address: the socket's, or behind `hops` proxies of ours the entry of X-Forwarded-For
 * that the outermost of them wrote. What stands further left was written by the client and is
 * ignored.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string, hops: number): string {
  const own = plain(socketAddress ?? "");
  if (hops === 0) return own;
  const chain = forwardedFor.split(",").map((entry) => plain(entry.trim()));
  const named = chain.at(-hops);
  return named !== undefined && isIP(named) !== 0 ? named : own;
}

/**
 * An IPv4 client on an IPv6 socket is the IPv4 client; a port that some proxies add is left out.
 */
function plain(address: string): string {
  const unmapped = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return /^\[(.+)\](?::\d+)?$/.exec(unmapped)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(unmapped)?.[1] ?? unmapped;
}
