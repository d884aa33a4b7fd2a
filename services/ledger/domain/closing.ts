import type { Day } from "./days.js";

export type PackageStatus = "QUEUED" | "RUNNING" | "DONE";

/** A file of a package, as its manifest names it. */
export interface PackageFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The act of closing a day, a month or a year, and what it found. Kept for good. */
export interface Closing {
  /** Its place among the tenant's closings, from 1. */
  readonly number: number;
  /** "2026-11-29", "2026-11" or "2026". */
  readonly period: string;
  readonly first: Day;
  readonly last: Day;
  /** The closing before the period, whose package this one goes on from. */
  readonly previous?: number;
  /** The last day of the closing before; what counts for it or earlier opens the package. */
  readonly openedAfter?: Day;
  /** Transfers after this sequence are in the package, */
  readonly afterSeq: bigint;
  /** up to this one. */
  readonly throughSeq: bigint;
  /** Of the transfers at both sequences, as they were stored at the close. */
  readonly previousHash: Uint8Array;
  readonly headHash: Uint8Array;
  /** 0 where codes stand for themselves. */
  readonly mappingVersion: number;
  readonly closedBy: string;
  readonly closedAt: Date;
  /** Since its days were opened again, by which approval. */
  readonly supersededAt?: Date;
  readonly supersededBy?: string;
  readonly package: {
    readonly status: PackageStatus;
    /** In the package so far. */
    readonly transfers: number;
    readonly files: readonly PackageFile[];
  };
}

/** A tenant's own accounts by code of the chart. */
export interface ChartMapping {
  /** From 1; 0 stands for every code as it is. */
  readonly version: number;
  readonly codes: ReadonlyMap<string, OwnAccount>;
  readonly changedBy?: string;
  readonly changedAt?: Date;
}

/** An account of the tenant's own chart. */
export interface OwnAccount {
  readonly account: string;
  readonly name: string;
}

/** The mapping of a tenant that has put none. */
export const ownCodes: ChartMapping = { version: 0, codes: new Map() };

/** The account that a code is; undefined where the mapping lacks it. */
export function accountOf({ version, codes }: ChartMapping, code: string): OwnAccount | undefined {
  return codes.get(code) ?? (version === 0 ? { account: code, name: code } : undefined);
}

/** Codes that a mapping lacks, by name. */
export function missingCodes(mapping: ChartMapping, codes: Iterable<string>): string[] {
  return [...new Set(codes)].filter((code) => accountOf(mapping, code) === undefined).toSorted();
}
