import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import {
  firstMinute,
  healthOf,
  retainedCalls,
  latencyBucket,
  minuteMs,
  minuteOf,
  type PluginCallRecord,
  type PluginHealth,
  type PluginHealthRecord,
  type PluginMinuteRecord,
} from "../domain/plugin-calls.js";

/** A call as an owner notes it. */
export type RecordedCall = Omit<PluginCallRecord, "pluginCallId" | "installationId" | "seq">;

/** Calls to a tenant's partners, and how their partners do. What a crash cuts off is lost. */
export function pluginCallPart({
  calls,
  minutes,
  health,
}: {
  calls: RecordCollection<PluginCallRecord, "pluginCallId">;
  minutes: RecordCollection<PluginMinuteRecord, "pluginMinuteId">;
  health: RecordCollection<PluginHealthRecord, "installationId">;
}) {
  const numberOf = (seq: number) => String(seq).padStart(15, "0");

  /** Takes the numbers of that many calls; answers the last one. */
  async function takeNumbers(installationId: string, noted: readonly RecordedCall[], isOpen: boolean, now: Date) {
    const last = noted.at(-1)?.at;
    const lastError = noted.findLast(({ outcome }) => isError(outcome))?.at;
    const latest = { ...(last && { lastCallAt: last }), ...(lastError && { lastErrorAt: lastError }) };
    const after = await health.findOneAndUpdate(
      { _id: installationId },
      {
        $inc: { seq: noted.length },
        ...(isOpen && { $set: { breakerOpenAt: now } }),
        ...(Object.keys(latest).length > 0 && { $max: latest }),
      },
      { upsert: true, returnDocument: "after" },
    );
    return Number(after!.seq);
  }

  return {
    /** Keeps the last 1,000 of an installation; counts those of this minute. */
    async notePluginCalls(
      installationId: string,
      noted: readonly RecordedCall[],
      isOpen: boolean,
      now: Date,
    ): Promise<void> {
      const last = await takeNumbers(installationId, noted, isOpen, now);
      if (noted.length === 0) return;
      const first = last - noted.length + 1;
      const numbered = noted.map((call, at) => ({
        ...call,
        installationId,
        seq: first + at,
        pluginCallId: `${installationId}/${numberOf(first + at)}`,
      }));
      await calls.insertMany(numbered);
      await calls.deleteMany({ installationId, seq: { $lte: last - retainedCalls } });
      const minute = minuteOf(now);
      const took = new Map<string, number>();
      for (const { durationMs } of noted) {
        const bucket = `took.${latencyBucket(durationMs)}`;
        took.set(bucket, (took.get(bucket) ?? 0) + 1);
      }
      const errors = noted.filter(({ outcome }) => isError(outcome)).length;
      await minutes.updateOne(
        { _id: `${installationId}/${minute}` },
        {
          $inc: { calls: noted.length, errors, ...Object.fromEntries(took) },
          $setOnInsert: { installationId, minute, expiresAt: new Date(now.getTime() + 60 * minuteMs) },
        },
        { upsert: true },
      );
    },
    /** The newest first, before the given number; 0 for the newest of all. */
    listPluginCalls: (installationId: string, { before, limit }: { before: number; limit: number }) =>
      calls.find({ installationId, ...(before > 0 && { seq: { $lt: before } }) }, { sort: { seq: -1 }, limit }),
    async pluginHealth(installationIds: readonly string[], now: Date): Promise<Map<string, PluginHealth>> {
      const ids = [...installationIds];
      const [recent, known] = await Promise.all([
        minutes.find({ minute: { $gte: firstMinute(now) }, installationId: { $in: ids } }),
        health.find({ _id: { $in: ids } }),
      ]);
      return new Map(
        ids.map((id) => {
          const own = recent.filter(({ installationId }) => installationId === id);
          return [
            id,
            healthOf(
              own,
              known.find(({ installationId }) => installationId === id),
              now,
            ),
          ];
        }),
      );
    },
  };
}

/** The partner refused, or nobody knows. */
const isError = (outcome: string) => outcome !== "OK";
