import { ReleaseError } from "./release-error.js";

export type Version = readonly [major: number, minor: number, patch: number];

/**
 * Reads `1.20.3`: three numbers, none with a zero in front. Throws a
 * ReleaseError for anything else.
 */
export function parseVersion(text: string): Version {
  const parts = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) throw new ReleaseError(`version "${text}" is not three numbers such as 0.2.0`);
  return parts as unknown as Version;
}

/** Below zero where `one` comes before `other`, zero where they are the same. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

export function tagOf(version: string): string {
  return `v${version}`;
}
