export interface TierLine {
  upTo?: string;
  bps: number;
}
export interface ShareLine {
  party: string;
  bps: number;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** "100.00 100", the last one "50": undefined where a line is neither. */
export function tiersOf(text: string): readonly TierLine[] | undefined {
  const read = linesOf(text).map((line): TierLine | undefined => {
    const [, upTo, bps] = /^(?:(\d+(?:\.\d+)?)\s+)?(\d{1,5})$/.exec(line) ?? [];
    return bps === undefined ? undefined : { ...(upTo !== undefined && { upTo }), bps: Number(bps) };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

/** "AGENT 8000": undefined where a line is none. */
export function sharesOf(text: string): readonly ShareLine[] | undefined {
  const read = linesOf(text).map((line): ShareLine | undefined => {
    const [, party, bps] = /^(\S+)\s+(\d{1,5})$/.exec(line) ?? [];
    return party === undefined || bps === undefined ? undefined : { party, bps: Number(bps) };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

export const tierText = (tiers: readonly { upTo?: string | undefined; bps: number }[]): string =>
  tiers.map(({ upTo, bps }) => (upTo === undefined ? String(bps) : `${upTo} ${bps}`)).join("\n");

export const shareText = (shares: readonly ShareLine[]): string =>
  shares.map(({ party, bps }) => `${party} ${bps}`).join("\n");
