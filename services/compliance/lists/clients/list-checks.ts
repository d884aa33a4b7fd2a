import type { Installation } from "../../../platform/plugins/installations.js";
import type { PluginCheck } from "../../../platform/plugins/test-runs.js";
import { ListFault } from "../loading/list-file.js";
import { parseList } from "../loading/parse-list.js";
import {
  NotPublished,
  publishedAtOf,
  publishedListOf,
  type PublishedFile,
  type PublishedLists,
  type Validators,
} from "./published-lists.js";

const names = ["the address answers", "it is a list of this source", "it has entries", "its age"] as const;
const dayMs = 86_400_000;

/**
 * Reads the whole list as it is published, and keeps nothing of it. Never
 * throws for what the publisher does.
 */
export async function checkPublishedList(
  installation: Installation,
  tenantId: string,
  published: Pick<PublishedLists, "get">,
): Promise<PluginCheck[]> {
  const { source, files } = publishedListOf(installation);
  const validators: Validators[] = [];
  async function* streamOf(file: PublishedFile) {
    try {
      const got = await published.get(file, { tenantId, installation });
      if (got.isSame) throw new NotPublished("answered 304 to who knows nothing");
      validators.push(got.validators);
      yield* got.stream;
    } catch (error) {
      throw error instanceof NotPublished ? new NotPublished(`${file.name}: ${error.message}`) : error;
    }
  }
  const startedAt = performance.now();
  const parsed = parseList(
    source,
    files.map((file) => ({ part: file.part, stream: streamOf(file) })),
  );
  let entries = 0;
  const ended = (failedAt: number, detail: string) => {
    // One reading is all checks: how long it took stands with the first.
    const durationMs = Math.round(performance.now() - startedAt);
    const before = names.slice(0, failedAt).map((name) => ({ name, result: "PASSED" as const, detail: "" }));
    const failed = { name: names[failedAt]!, result: "FAILED" as const, detail };
    const after = names.slice(failedAt + 1).map((name) => {
      return { name, result: "FAILED" as const, detail: `not reached: ${names[failedAt]} failed` };
    });
    return [...before, failed, ...after].map((check, at) => ({ ...check, durationMs: at === 0 ? durationMs : 0 }));
  };
  try {
    for await (const _entry of parsed.entries) entries += 1;
  } catch (error) {
    if (error instanceof NotPublished) return ended(0, error.message);
    if (error instanceof ListFault) return ended(1, error.message);
    throw error;
  }
  if (entries === 0) return ended(2, "the list is empty");
  const now = new Date();
  const age = ageOf(parsed.publishedAt() ?? publishedAtOf(validators, now), now);
  const durationMs = Math.round(performance.now() - startedAt);
  return [
    { name: names[0], result: "PASSED", detail: "", durationMs },
    { name: names[1], result: "PASSED", detail: "", durationMs: 0 },
    { name: names[2], result: "PASSED", detail: `${entries} entries`, durationMs: 0 },
    { name: names[3], ...age, durationMs: 0 },
  ];
}

function ageOf(publishedAt: Date | undefined, now: Date): Pick<PluginCheck, "result" | "detail"> {
  if (publishedAt === undefined) return { result: "LEFT_OUT", detail: "neither the file nor its server says it" };
  const days = Math.max(0, Math.floor((now.getTime() - publishedAt.getTime()) / dayMs));
  return { result: "PASSED", detail: `published on ${publishedAt.toISOString().slice(0, 10)}, ${days} days ago` };
}
