import { isIP } from "node:net";

/**
 * What a client is counted by: their IPv4 address, or the /64 network that an IPv6 client chooses
 * addresses from.
 */
export function networkOf(address: string): string {
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
