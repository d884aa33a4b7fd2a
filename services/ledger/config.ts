import { isIPv6 } from "node:net";
import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";

/** Kubernetes gives a pod's IPv6 address without the brackets that a port needs. */
function inBrackets(text: unknown): unknown {
  if (typeof text !== "string") return text;
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, Math.max(colon, 0));
  return isIPv6(host) ? `[${host}]${text.slice(colon)}` : text;
}

/** The environment of the ledger. */
export const ledgerEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  /**
   * host:port where other replicas of the ledger reach this one; HOST and PORT when absent. No two
   * processes share it.
   */
  ADVERTISED_ADDRESS: z.preprocess(inBrackets, addressEnv("ADVERTISED_ADDRESS").ADVERTISED_ADDRESS.optional()),
  /** How long a tenant's journal stays without an owner after its owner was killed. */
  LEASE_TTL_MS: z.coerce.number().int().min(300).max(60_000).default(3_000),
  /** A journal that nobody posts to is given up after this long. */
  JOURNAL_IDLE_MS: z.coerce.number().int().min(1_000).default(30_000),
  /** How often replicas tell each other what they have to do, and look whether to share it anew. */
  SHARE_EVERY_MS: z.coerce.number().int().min(100).max(3_600_000).default(2_000),
  /**
   * Tenants, by id and with commas between, whose journals share a replica with no other. There
   * must be one replica more than there are of them.
   */
  PINNED_TENANTS: z
    .string()
    .default("")
    .transform((ids) => new Set(ids.split(",").flatMap((id) => id.trim() || []))),
  /** Per tenant: transfers waiting, beyond which callers are sent away. */
  MAX_QUEUED_TRANSFERS: z.coerce.number().int().min(1_000).default(20_000),
  /**
   * Accounts and pending transfers in memory, of all tenants whose journals this process owns;
   * about 1 KB each.
   */
  MAX_CACHED_ACCOUNTS: z.coerce.number().int().min(100).default(20_000),
  /**
   * File that heads of journals are appended to, somewhere that who can write the database cannot;
   * absent means the log alone.
   */
  HEADS_FILE: z.string().min(1).optional(),
  HEADS_EVERY_MS: z.coerce.number().int().min(100).default(10_000),
  /** Where events of wallets are told; nobody tells them where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  /** How often what partners hold is looked at while something is posted. */
  ALARM_LOOK_MS: z.coerce.number().int().min(20).default(1_000),
  /** How often journals are looked for whose replica was killed before it told them. */
  TELL_SWEEP_MS: z.coerce.number().int().min(50).default(10_000),
  /** How often it is looked for verifications that nobody works on. */
  VERIFY_SWEEP_MS: z.coerce.number().int().min(50).default(5_000),
  /** How long nobody goes on with a verification whose process was killed. */
  VERIFY_LEASE_MS: z.coerce.number().int().min(300).default(30_000),
  /** Transfers after which a verification keeps how far it is. */
  VERIFY_PIECE_TRANSFERS: z.coerce.number().int().min(1).default(20_000),
  /** How long what moves positions gathers before it is counted. */
  POSITION_GATHER_MS: z.coerce.number().int().min(10).default(1_000),
  /** How late what a killed replica has left is counted at most, and a day seen to be over. */
  POSITION_LOOK_MS: z.coerce.number().int().min(10).default(300_000),
  EXPIRY_SWEEP_MS: z.coerce.number().int().min(50).default(1_000),
});

export type LedgerConfig = z.infer<typeof ledgerEnv>;
