export interface FieldChange {
  /** "fees.0.rateBps". */
  field: string;
  before: unknown;
  after: unknown;
}

/** What differs between two versions of a setting, field by field, however deep. */
export function differences(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (isParts(before) && isParts(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ field: path, before, after }];
}

export function isParts(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** "fees.0.fixedMinor" → "fees 1 fixed"; minor units are named where they are shown as such. */
export function fieldName(field: string, isMajor: boolean): string {
  const parts = field.split(".").map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  const text = parts
    .join(" ")
    .replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return isMajor ? text.replace(/ minor$/, "") : text;
}

/**
 * Minor units as an amount with as many decimals as another amount of the currency has:
 * "12345" like "1.00" is "123.45".
 */
export function majorText(minor: string, like: string): string {
  const places = like.split(".")[1]?.length ?? 0;
  if (places === 0 || !/^-?\d+$/.test(minor)) return minor;
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(minor) ?? [];
  const padded = digits.padStart(places + 1, "0");
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
