import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { KindSum } from "../domain/branch-day.js";

interface SumRow {
  readonly _id: { readonly of: string; readonly kind: string; readonly isOfDay: boolean };
  readonly count: bigint;
  readonly totalMinor: bigint;
}

/**
 * What lines of a business day and of those behind it come to by kind, by the value of a field:
 * summed where they lie, since a till or a vault may have any number of them.
 */
export async function lineSumsSince<T>(
  lines: Pick<RecordCollection<T>, "aggregate">,
  which: object,
  day: string,
  field: keyof T & string,
): Promise<ReadonlyMap<string, readonly KindSum[]>> {
  const rows = await lines.aggregate<SumRow>([
    { $match: { ...which, day: { $gte: day } } },
    {
      $group: {
        _id: { of: `$${field}`, kind: "$kind", isOfDay: { $eq: ["$day", day] } },
        count: { $sum: 1n },
        totalMinor: { $sum: "$amountMinor" },
      },
    },
  ]);
  const sums = new Map<string, KindSum[]>();
  for (const { _id, count, totalMinor } of rows) {
    const { of, kind, isOfDay } = _id;
    sums.set(of, [...(sums.get(of) ?? []), { kind, isOfDay, count: Number(count), totalMinor }]);
  }
  return sums;
}
