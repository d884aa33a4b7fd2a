import { BlockList, isIP } from "node:net";
import { invalidInput } from "../../kernel/refusal.js";

export const maxUrlLength = 2_000;

/**
 * Where nothing of a tenant's is ever sent: whoever names it would
 * reach what is ours, or the cloud's.
 */
const forbidden = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local, with the metadata services of clouds at 169.254.169.254.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv4");
}
// Of IPv6 only what is routed to the whole world is allowed, so the list is of what is in it and is
// not: tunnels and translations, which carry an IPv4 address past the list above, and examples.
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  forbidden.addSubnet(network, prefix, "ipv6");
}

/** Whether a tenant may have us call an address: public, and in no form another one's mask. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !forbidden.check(address, "ipv4");
  if (version !== 6 || address.includes("%")) return false;
  return global6.check(address, "ipv6") && !forbidden.check(address, "ipv6");
}

/** A host and a port as they stand in a URL: IPv6 in brackets. */
export function authorityOf(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The host of a URL as the resolver takes it: without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Origins that the operator lets sandboxes name, such as `http://localhost:*`. */
export type AllowedOrigins = readonly string[];

/** Whether the operator named the origin: `*` stands for any port. */
export function isAllowedOrigin({ protocol, hostname, port, origin }: URL, allowed: AllowedOrigins): boolean {
  return allowed.some((one) =>
    one.endsWith(":*") ? one === `${protocol}//${hostname}:*` && port !== "" : one === origin,
  );
}

/** Of AllowedOrigins as an operator writes them, separated by commas. */
const originForm = /^https?:\/\/[a-z0-9.[\]:-]+?(:\*)?$/;

/** Whether text is origins separated by commas. */
export function isOriginList(text: string): boolean {
  return text.split(",").every((one) => originForm.test(one));
}

export const originListExpected = "must be origins separated by commas, such as http://localhost:*";

/**
 * The URL in its one form. Refuses INVALID_INPUT at `path`, each fault with its own words: its
 * length, no URL, another scheme than https, a user or a password in it, a fragment, a host of this
 * network. Whether its name leads to such a host is asked of the resolver by whoever connects.
 */
export function urlOf(text: string, allowed: AllowedOrigins, path = "url"): URL {
  const faulty = (message: string) => invalidInput(path, message);
  if (text.length > maxUrlLength) throw faulty(`must have at most ${maxUrlLength} characters`);
  if (!URL.canParse(text)) throw faulty("must be a URL, such as https://example.com/events");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw faulty("must not hold a user or a password");
  if (url.hash !== "") throw faulty("must not hold a fragment");
  if (isAllowedOrigin(url, allowed)) return url;
  if (url.protocol !== "https:") throw faulty("must begin with https://");
  const host = hostOf(url);
  if (isLocalName(host)) throw faulty("must not name this machine or its network");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw faulty("must not name a private address");
  return url;
}

/** Names that lead to the machine itself or its network, whatever a resolver says. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  if (isIP(name) !== 0) return false;
  return !name.includes(".") || /\.(localhost|local|internal|lan|home|intranet|home\.arpa)$/.test(name);
}
