import { z } from "zod";
import { boundedJsonOf } from "../../../kernel/formats/bounded-json.js";
import { listSources, type ListSource } from "../domain/list-entry.js";
import type { Endpoint } from "../../common/clients/partner-http.js";
import { listParts, type ListPart } from "./list-file.js";

const answerTimeoutMs = 10_000;
const fileTimeoutMs = 300_000;
const maxFileBytes = 256 * 1024 * 1024;

const offered = z.object({
  lists: z
    .array(
      z.object({
        source: z.enum(listSources),
        publishedAt: z.iso.datetime({ offset: true }).optional(),
        files: z
          .array(z.object({ part: z.enum(listParts), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
          .min(1)
          .max(4),
      }),
    )
    .max(20),
});

export interface OfferedList {
  source: ListSource;
  publishedAt?: Date;
  files: readonly { part: ListPart; sha256: string }[];
}

export type ListConnector = ReturnType<typeof createListConnector>;

/**
 * Speaks to who keeps the published lists for us: `GET /v1/screening-lists` says which there are,
 * by digest, and `GET /v1/screening-lists/{source}/{part}` gives a file ("LIST" where a list is
 * one). Throws where it does not answer.
 */
export function createListConnector({ url, apiKey }: Endpoint, account: string) {
  async function get(path: string, timeoutMs: number, signal?: AbortSignal): Promise<Response> {
    const late = AbortSignal.timeout(timeoutMs);
    const response = await fetch(new URL(path, url), {
      headers: { authorization: `Bearer ${apiKey}`, "x-account": account },
      redirect: "error",
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    if (!response.ok || response.body === null)
      throw new Error(`the lists' connector answered ${response.status} for ${path}`);
    return response;
  }

  return {
    async offered(signal?: AbortSignal): Promise<OfferedList[]> {
      const response = await get("/v1/screening-lists", answerTimeoutMs, signal);
      return offered.parse(await boundedJsonOf(response)).lists.map(({ publishedAt, ...list }) => ({
        ...list,
        ...(publishedAt !== undefined && { publishedAt: new Date(publishedAt) }),
      }));
    },

    /** Throws past 256 MB. */
    async *file(source: ListSource, part: ListPart, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
      const { body } = await get(`/v1/screening-lists/${source}/${part || "LIST"}`, fileTimeoutMs, signal);
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > maxFileBytes) throw new Error(`the file of ${source} has more than 256 MB`);
        yield chunk;
      }
    },
  };
}
