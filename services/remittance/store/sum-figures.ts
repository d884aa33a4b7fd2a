import { sumOf, wideOf, type WideSum } from "../../kernel/mongo/wide-sum.js";

const amounts = new Set(["principal", "received", "fees", "taxes", "fxMargin", "slippage", "amount", "reasonAmount"]);

/** What is added to a figure of the sums. */
export function incrementsOf(path: string, by: bigint): [string, bigint][] {
  if (!path.split(".").some((name) => amounts.has(name))) return [[path, by]];
  const { high, low } = wideOf(by);
  return [[`${path}.low`, low], ...(high === 0n ? [] : [[`${path}.high`, high] as [string, bigint]])];
}

/** Figures by their paths. What stands below an amount's name is an amount. */
export function flat(
  value: object | undefined,
  path: string,
  isAmount = false,
  into: Map<string, bigint> = new Map<string, bigint>(),
): Map<string, bigint> {
  for (const [name, of] of Object.entries(value ?? {}) as [string, unknown][]) {
    if (typeof of === "bigint" || typeof of === "number") into.set(path + name, BigInt(of));
    else if (typeof of === "object" && of !== null) {
      const amount = isAmount || amounts.has(name);
      if (amount && isWide(of)) into.set(path + name, sumOf({ ...none, ...of }));
      else flat(of, `${path}${name}.`, amount, into);
    }
  }
  return into;
}

const none: WideSum = { high: 0n, low: 0n };
const isWide = (value: Partial<WideSum>) => typeof value.low === "bigint";
