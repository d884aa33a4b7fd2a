/** Where Redis is: one server, a set that sentinels watch, or a cluster. */
export type RedisPlace = SinglePlace | SentinelPlace | ClusterPlace;

interface Access {
  username?: string;
  password?: string;
  tls?: Record<string, never>;
}

interface SinglePlace {
  kind: "single";
  url: string;
}

interface SentinelPlace extends Access {
  kind: "sentinel";
  sentinels: HostPort[];
  /** The name by which the sentinels know the primary. */
  master: string;
  db: number;
}

interface ClusterPlace extends Access {
  kind: "cluster";
  nodes: HostPort[];
}

export interface HostPort {
  host: string;
  port: number;
}

const pattern =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<username>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^@/]+)(?:\/(?<master>[^/]+))?(?:\/(?<db>\d+))?$/;
const defaultPorts = { sentinel: 26_379, cluster: 6_379 };

/**
 * Reads `redis://`, `rediss://`, `redis+sentinel://user:password@host:port,host:port/master/db` and
 * `redis+cluster://user:password@host:port,host:port` (`rediss+…` for TLS); undefined where it is
 * none of them. User and password are of the servers, percent-encoded; the user may be empty.
 */
export function redisPlaceOf(url: string): RedisPlace | undefined {
  if (/^rediss?:\/\//.test(url)) return { kind: "single", url };
  const found = pattern.exec(url)?.groups;
  if (found === undefined) return undefined;
  const kind = found["kind"] as "sentinel" | "cluster";
  const hosts = (found["hosts"] as string).split(",").map((text) => hostPortOf(text, defaultPorts[kind]));
  if (hosts.some((one) => one === undefined)) return undefined;
  const access: Access = {
    ...(found["username"] ? { username: decodeURIComponent(found["username"]) } : {}),
    ...(found["password"] ? { password: decodeURIComponent(found["password"]) } : {}),
    ...(found["scheme"] === "rediss" ? { tls: {} } : {}),
  };
  const { master, db } = found;
  if (kind === "sentinel" && master !== undefined) {
    return { kind, sentinels: hosts as HostPort[], master, db: Number(db ?? 0), ...access };
  }
  // A cluster has one database, and no primary by name.
  if (kind === "cluster" && master === undefined) return { kind, nodes: hosts as HostPort[], ...access };
  return undefined;
}

function hostPortOf(text: string, defaultPort: number): HostPort | undefined {
  const found = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:\s]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups;
  const host = found?.["v6"] ?? found?.["host"];
  const port = Number(found?.["port"] ?? defaultPort);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
