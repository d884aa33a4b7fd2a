/** Host names that a tenant's messages may lead to, as URLs have them. */
export type Hosts = ReadonlySet<string>;

/**
 * What the operator lets a tenant answer at, and the apps that it lets ask in its people's names.
 */
export function hostsOf({ hosts, corsOrigins }: { hosts: readonly string[]; corsOrigins: readonly string[] }): Hosts {
  const apps = corsOrigins.filter((origin) => origin.startsWith("https://")).map((origin) => new URL(origin).hostname);
  return new Set([...hosts, ...apps]);
}

/** Whether a link leads to one of the hosts, or makes a mail to somebody there. */
export function leadsHome(href: string, hosts: Hosts): boolean {
  // Mail programs end a link where other letters begin, and make another of what follows.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(href)) return false;
  const mailto = /^mailto:([^?%]+)(?:\?(.*))?$/i.exec(href);
  if (mailto !== null) {
    const fields = [...new URLSearchParams(mailto[2] ?? "").keys()];
    return (
      mailto[1]!.split(",").every((address) => isMailHome(address, hosts)) &&
      fields.every((field) => /^(?:subject|body)$/i.test(field))
    );
  }
  if (!/^https:\/\//i.test(href) || !URL.canParse(href)) return false;
  const { hostname, username, password } = new URL(href);
  return username === "" && password === "" && hosts.has(hostname);
}

// Organisations have their mail at the domain above their app's host.
function isMailHome(address: string, hosts: Hosts): boolean {
  // No "/" in whom it is for: in "www.other.example/@home.example" that is a path.
  const domain = /^[\w.+-]+@([a-z0-9.-]+\.[a-z0-9-]+)$/i.exec(address)?.[1]?.toLowerCase();
  return domain !== undefined && [...hosts].some((host) => host === domain || host.endsWith(`.${domain}`));
}

// Mail programs make links of them, with or without a scheme; telephones of numbers, too.
const looksLikeAddress = /:\/\/|[\p{L}\p{N}-][.。]\p{L}{2}/u;
const looksLikeNumbers = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|(?!\d))){4}/;

/** Letters and full stops that look alike are the same, and what nobody sees is not there. */
const asSeen = (words: string): string => words.normalize("NFKC").replace(/\p{Cf}/gu, "");

/** Whether words show what mail programs make a link of. */
export function showsAddress(words: string): boolean {
  const seen = asSeen(words);
  return looksLikeAddress.test(seen) || looksLikeNumbers.test(seen);
}

/** Of words as they are shown: the addresses that lead to none of the hosts. */
export function strangeAddresses(words: string, hosts: Hosts): string[] {
  const parts = words.split(/[\s<>"'()[\]{},;|]+/u).map((part) => part.replace(/[.!?:…]+$/u, ""));
  return parts.filter((part) => showsAddress(part) && !isHome(part, hosts));
}

function isHome(part: string, hosts: Hosts): boolean {
  const [, rest, ...more] = part.split("://");
  if (rest !== undefined) return more.length === 0 && leadsHome(part, hosts);
  if (part.includes("@")) return isMailHome(part.replace(/^mailto:/i, ""), hosts);
  return leadsHome(`https://${part}`, hosts);
}
