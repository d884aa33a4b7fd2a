import { z } from "zod";

const name = z.string().min(1);

/**
 * Which secrets an install needs, as the chart says it (`manilla.secretPlan`). A part that is
 * absent is the operator's own.
 */
export const secretPlan = z.object({
  /** Of every secret that is made. */
  labels: z.record(z.string(), z.string()),
  /**
   * Keys by which services sign their calls, and the master key where a service reads it from a
   * file. `marker` is the secret that tells that a master key was made.
   */
  keys: z.object({ secret: name, services: z.array(name), masterKey: z.boolean(), marker: name }).optional(),
  /** An authority, and a certificate of it per service. */
  tls: z
    .object({
      authority: name,
      /** Secret of each service. */
      certificates: z.record(name, name),
      trustDomain: name,
      days: z.int().min(1),
      renewAfterDays: z.int().min(0),
    })
    .optional(),
  /** Users of the embedded MongoDB; `host` is host:port. */
  mongodb: z.object({ secret: name, host: name, databasePrefix: name, services: z.array(name) }).optional(),
  redis: z.object({ secret: name, host: name }).optional(),
  partner: z.object({ secret: name }).optional(),
});

export type SecretPlan = z.infer<typeof secretPlan>;
export type Part<Name extends keyof SecretPlan> = NonNullable<SecretPlan[Name]>;

/** Entries of a secret by name, as text. */
export type Entries = Readonly<Record<string, string>>;

export interface NewSecret {
  readonly name: string;
  readonly type: "Opaque" | "kubernetes.io/tls";
  readonly labels: Readonly<Record<string, string>>;
  readonly entries: Entries;
}

/** A secret of the cluster; a change names the version that it was made from. */
export interface StoredSecret {
  readonly name: string;
  readonly entries: Entries;
  readonly version: string;
}
