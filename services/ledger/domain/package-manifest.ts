import { createHash } from "node:crypto";
import { minorDigits } from "../../kernel/codes/currencies.js";
import { formatMoney } from "../../kernel/money.js";
import { accountOf, type ChartMapping, type Closing, type PackageFile } from "./closing.js";
import { dayText } from "./days.js";
import type { PackageSums } from "./package-sums.js";

export interface Packed {
  readonly tenantId: string;
  readonly closing: Closing;
  readonly mapping: ChartMapping;
  readonly files: readonly PackageFile[];
  readonly transfers: number;
  readonly sums: PackageSums;
}

/**
 * What a package is and what its files come to, as JSON that ends with the hash of all before it.
 */
export function manifestOf({ tenantId, closing, mapping, files, transfers, sums }: Packed): string {
  const { openedAfter, previousHash, headHash } = closing;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const manifest = {
    format: "manilla.books.v1",
    tenant: tenantId,
    closing: closing.number,
    period: closing.period,
    first: dayText(closing.first),
    last: dayText(closing.last),
    openedAfter: openedAfter === undefined ? null : dayText(openedAfter),
    previousClosing: closing.previous ?? null,
    afterSequence: Number(closing.afterSeq),
    throughSequence: Number(closing.throughSeq),
    previousHash: hex(previousHash),
    headHash: hex(headHash),
    closedBy: closing.closedBy,
    closedAt: closing.closedAt.toISOString(),
    transfers,
    currencies: Object.fromEntries(sums.currencies.map((currency) => [currency, minorDigits(currency)])),
    totals: totalsOf(sums),
    mappingVersion: mapping.version,
    mapping: [...new Set(sums.trialBalance.map(({ code }) => code))].toSorted().map((code) => ({
      code,
      ...accountOf(mapping, code),
    })),
    files,
  };
  const text = JSON.stringify(manifest, undefined, 1).slice(0, -2);
  return `${text},\n "sha256": "${createHash("sha256").update(text).digest("hex")}"\n}\n`;
}

/** Both sides of the trial balance, per currency. */
function totalsOf({ trialBalance, currencies }: PackageSums) {
  return currencies.map((currency) => {
    const lines = trialBalance.filter((line) => line.currency === currency);
    const sum = (side: "debits" | "credits") =>
      formatMoney({ minor: lines.reduce((all, line) => all + line[side], 0n), currency });
    return { currency, debits: sum("debits"), credits: sum("credits") };
  });
}
