/** Where Redis is: one server, a set that sentinels watch, or a cluster. */
export type RedisPlace = SinglePlace | SentinelPlace | ClusterPlace;

interface Access {
  username?: string;
  password?: string;
  tls?: TlsSettings;
}

interface TlsSettings {
  /** The CA's certificate, PEM, in place of the CAs that Node trusts. */
  caFile?: string;
}

interface SinglePlace {
  kind: "single";
  url: string;
  tls?: TlsSettings;
}

interface SentinelPlace extends Access {
  kind: "sentinel";
  sentinels: HostPort[];
  /** The name by which the sentinels know the primary. */
  master: string;
  db: number;
  sentinelUsername?: string;
  sentinelPassword?: string;
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
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<username>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^@/?]+)(?:\/(?<master>[^/?]+))?(?:\/(?<db>\d+))?(?:\?(?<query>.*))?$/;
const defaultPorts = { sentinel: 26_379, cluster: 6_379 };

/** What may follow a `?`: of TLS, and of sentinels. */
const parameters = new Set(["caFile", "sentinelUsername", "sentinelPassword"]);

/**
 * Reads `redis://`, `rediss://`, `redis+sentinel://user:password@host:port,host:port/master/db` and
 * `redis+cluster://user:password@host:port,host:port` (`rediss+…` for TLS, of sentinels too);
 * undefined where it is none of them. User and password are of the servers, percent-encoded; the
 * user may be empty. `?caFile=/path/ca.crt` names the CA of TLS, `?sentinelPassword=…` (and
 * `sentinelUsername`) what the sentinels themselves ask for.
 */
export function redisPlaceOf(url: string): RedisPlace | undefined {
  if (/^rediss?:\/\//.test(url)) return singlePlaceOf(url);
  const found = pattern.exec(url)?.groups;
  if (found === undefined) return undefined;
  const kind = found["kind"] as "sentinel" | "cluster";
  const hosts = (found["hosts"] as string).split(",").map((text) => hostPortOf(text, defaultPorts[kind]));
  if (hosts.some((one) => one === undefined)) return undefined;
  const query = new URLSearchParams(found["query"] ?? "");
  if ([...query.keys()].some((name) => !parameters.has(name))) return undefined;
  const isTls = found["scheme"] === "rediss";
  if (query.has("caFile") && !isTls) return undefined;
  const access: Access = {
    ...(found["username"] ? { username: decodeURIComponent(found["username"]) } : {}),
    ...(found["password"] ? { password: decodeURIComponent(found["password"]) } : {}),
    ...(isTls ? { tls: tlsOf(query) } : {}),
  };
  const { master, db } = found;
  if (kind === "sentinel" && master !== undefined) {
    const [sentinelUsername, sentinelPassword] = [query.get("sentinelUsername"), query.get("sentinelPassword")];
    return {
      kind,
      sentinels: hosts as HostPort[],
      master,
      db: Number(db ?? 0),
      ...access,
      ...(sentinelUsername ? { sentinelUsername } : {}),
      ...(sentinelPassword ? { sentinelPassword } : {}),
    };
  }
  // A cluster has one database, and neither a primary by name nor sentinels.
  if (kind === "cluster" && master === undefined && !/sentinel/.test(found["query"] ?? "")) {
    return { kind, nodes: hosts as HostPort[], ...access };
  }
  return undefined;
}

function singlePlaceOf(url: string): RedisPlace | undefined {
  const [address = "", text] = url.split("?", 2);
  const query = new URLSearchParams(text ?? "");
  if (!query.has("caFile")) return { kind: "single", url };
  if (query.size > 1 || !address.startsWith("rediss:")) return undefined;
  return { kind: "single", url: address, tls: tlsOf(query) };
}

function tlsOf(query: URLSearchParams): TlsSettings {
  const caFile = query.get("caFile");
  return caFile === null ? {} : { caFile };
}

function hostPortOf(text: string, defaultPort: number): HostPort | undefined {
  const found = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^:\s]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups;
  const host = found?.["v6"] ?? found?.["host"];
  const port = Number(found?.["port"] ?? defaultPort);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
