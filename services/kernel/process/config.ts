import { z } from "zod";
import { isCeilings } from "../limits/amount-ceiling.js";
import type { Logger } from "./log.js";
import { redisPlaceOf } from "./redis-url.js";

const address = z
  .string()
  .regex(/^([^\s:/]+|\[[0-9a-f:.]+\]):\d{1,5}$/i, "must be host:port, an IPv6 address in brackets")
  .refine((text) => Number(text.slice(text.lastIndexOf(":") + 1)) <= 65_535, "must have a port up to 65535");

const port = z.coerce.number().int().min(0).max(65_535);

/** Certificates name a service as <service>.<this> unless TLS_TRUST_DOMAIN says otherwise. */
export const defaultTrustDomain = "manilla.internal";

/** What every service reads from its environment; a service extends it with its own. */
export const serviceEnv = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  HOST: z.string().default("127.0.0.1"),
  /** gRPC; 0 takes any free port. */
  PORT: port,
  /** Plain HTTP with /healthz and /readyz; absent means none. */
  ADMIN_PORT: port.optional(),
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, "must start with mongodb:// or mongodb+srv://"),
  MONGODB_DATABASE: z.string().regex(/^[A-Za-z0-9_-]{1,38}$/, "must be 1 to 38 letters, digits, _ or -"),
  REDIS_URL: z
    .string()
    .refine(
      (text) => redisPlaceOf(text) !== undefined,
      "must start with redis:// or rediss://, or be redis+sentinel://…/<master> or redis+cluster://…",
    ),
  SERVICE_KEY_FILE: z.string(),
  SERVICE_JWKS_FILE: z.string(),
  /**
   * Folder with tls.crt, tls.key and ca.crt: services then speak over mutual TLS only. Absent means
   * plain text.
   */
  TLS_DIR: z.string().optional(),
  /** A service's certificate names it as <service>.<TLS_TRUST_DOMAIN> (manilla.internal). */
  TLS_TRUST_DOMAIN: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "must be a domain name in lower case")
    .optional(),
  /** Plain gRPC with health alone, for probes; absent means none. */
  HEALTH_PORT: port.optional(),
  /**
   * False where a job migrates: the service then waits until its migrations are done. True when
   * absent.
   */
  MIGRATE_AT_BOOT: z.stringbool().optional(),
  /**
   * The most that one movement of money may be, minor units by currency: "USD=5000000,JPY=900000";
   * 10^13 where absent.
   */
  AMOUNT_CEILINGS: z
    .string()
    .refine((text) => isCeilings(text), "must be such as USD=5000000,JPY=900000: minor units, up to 10^15")
    .optional(),
  /**
   * From this share of MongoDB's disk on nothing is written, 0.5 to 0.99; 0.9 in production when
   * absent, and elsewhere nothing is looked at.
   */
  DISK_FULL_SHARE: z.coerce.number().min(0.5).max(0.99).optional(),
  /**
   * How long to wait at boot for MongoDB, and for migrations that are somebody else's work; 0 when
   * absent.
   */
  BOOT_WAIT_S: z.coerce.number().int().min(0).max(3_600).optional(),
  /**
   * The longest that a process warms up before it says that it is ready; 20 when absent, 0 where
   * NODE_ENV is test.
   */
  WARM_UP_S: z.coerce.number().int().min(0).max(120).optional(),
});

type KeyEnv = Pick<
  z.infer<typeof serviceEnv>,
  "SERVICE_KEY_FILE" | "SERVICE_JWKS_FILE" | "TLS_DIR" | "TLS_TRUST_DOMAIN"
>;

/**
 * Where a process has its keys and its certificate, for `loadServiceKeys`; a new certificate that
 * cannot be used is logged, and the old one stays.
 */
export function keyFilesOf(config: KeyEnv, log?: Logger) {
  const { SERVICE_KEY_FILE, SERVICE_JWKS_FILE, TLS_DIR, TLS_TRUST_DOMAIN = defaultTrustDomain } = config;
  const onFault = (err: Error) => log?.warn({ err }, "the new certificate cannot be used");
  const tls = TLS_DIR === undefined ? undefined : { dir: TLS_DIR, trustDomain: TLS_TRUST_DOMAIN, onFault };
  return { keyFile: SERVICE_KEY_FILE, jwksFile: SERVICE_JWKS_FILE, tls };
}

/**
 * The address of a neighbour: `serviceEnv.extend({ ...addressEnv("LEDGER_ADDRESS"),
 * ...addressEnv("IDENTITY_ADDRESS") })`.
 */
export function addressEnv<Name extends string>(name: Name): Record<Name, typeof address> {
  return { [name]: address } as Record<Name, typeof address>;
}

/**
 * Parses the environment; empty variables count as absent. Throws one error that names every faulty
 * variable, never a value.
 */
export function readConfig<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv = process.env): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const faults: string[] = [];
  for (const name of ["CRASH_POINT", "CRASH_POINT_FILE", "CRASH_LEASE_MS"]) {
    if (given["NODE_ENV"] === "production" && given[name] !== undefined) {
      faults.push(`${name}: must not be set in production`);
    }
  }
  const result = schema.safeParse(given);
  if (!result.success) {
    for (const issue of result.error.issues) {
      const name = issue.path.join(".");
      const missing = issue.path.length === 1 && given[name] === undefined;
      faults.push(`${name}: ${missing ? "is required" : issue.message}`);
    }
  }
  if (faults.length > 0) throw new Error(`The environment is not usable:\n  ${faults.join("\n  ")}`);
  return result.data as z.infer<S>;
}
