import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "../../../platform/partners/address.js";
import type { Resolve } from "../../../platform/partners/addresses.js";
import { createPinnedRequests, whyNoAnswer } from "../../../platform/partners/pinned-requests.js";
import type { CallLog } from "../../../platform/plugins/call-log.js";
import type { Installation } from "../../../platform/plugins/installations.js";
import { lackOf } from "../../../platform/plugins/not-ready.js";
import { pluginTypeOf } from "../../../platform/plugins/types/index.js";
import type { ListSource } from "../domain/list-entry.js";
import type { ListPart } from "../loading/list-file.js";
import { maxUploadBytes } from "../loading/uploads.js";

export interface PublishedListsDeps {
  resolve: Resolve;
  /** Where a tenant's publishers may be although it is http or not public. */
  allowedOf(tenantId: string): AllowedOrigins;
  notes: Pick<CallLog, "note">;
  /** For one file, ms. */
  timeoutMs?: number;
  maxBytes?: number;
}

export interface PublishedFile {
  part: ListPart;
  /** As people know it. */
  name: string;
  url: URL;
}

/** What a list is fetched as. */
export interface PublishedList {
  source: ListSource;
  files: readonly PublishedFile[];
  everyMs: number;
  /** The address is the publisher's own, as we ship it, and nobody's of the tenant. */
  isPublishers: boolean;
}

/** By what a file is known again: what its server said of it. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export type FetchedFile =
  { isSame: true } | { isSame: false; validators: Validators; stream: AsyncIterable<Uint8Array> };

/** Why there is no file, in words that hold no secret. */
export class NotPublished extends Error {
  override readonly name = "NotPublished";
}

export type PublishedLists = ReturnType<typeof createPublishedLists>;

const hourMs = 3_600_000;
const defaultTimeoutMs = 120_000;
const maxRedirects = 3;
const ofacFiles = [
  ["SDN", "SDN.CSV"],
  ["ALT", "ALT.CSV"],
  ["ADD", "ADD.CSV"],
  ["COMMENTS", "SDN_COMMENTS.CSV"],
] as const;
const sources: Readonly<Record<string, ListSource>> = {
  "screening-ofac": "OFAC_SDN",
  "screening-eu": "EU",
  "screening-un": "UN",
  "screening-uk": "UK",
};

/** Where the files of an installation are. */
export function publishedListOf({ type, configuration, secrets }: Installation): PublishedList {
  const source = sources[type];
  if (source === undefined) throw new Error(`this version knows no list ${type}`);
  const url = new URL(String(configuration["url"]));
  const { properties } = pluginTypeOf(type)!.configuration as { properties: { url: { default: string } } };
  return {
    source,
    files:
      source === "OFAC_SDN" ? besideEachOther(url) : [{ part: "", name: "the file", url: withToken(url, secrets) }],
    everyMs: Number(configuration["everyHours"]) * hourMs,
    isPublishers: url.origin === new URL(properties.url.default).origin,
  };
}

function besideEachOther(folder: URL): PublishedFile[] {
  const base = new URL(folder);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return ofacFiles.map(([part, name]) => ({ part, name, url: new URL(name, base) }));
}

function withToken(url: URL, { token }: Readonly<Record<string, string>>): URL {
  if (token === undefined) return url;
  const own = new URL(url);
  own.searchParams.set("token", token);
  return own;
}

/** Fetches files of lists from where tenants say that they are published, as they come. */
export function createPublishedLists(deps: PublishedListsDeps) {
  const { resolve, allowedOf, notes, timeoutMs = defaultTimeoutMs, maxBytes = maxUploadBytes } = deps;
  const requests = createPinnedRequests(resolve);

  /** The publishers of two of the lists answer with a redirect to a URL that lives for minutes. */
  async function begun(tenantId: string, url: URL, known: Validators, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = {
      accept: "*/*",
      "user-agent": "manilla-screening-lists",
      ...(known.etag !== undefined && { "if-none-match": known.etag }),
      ...(known.lastModified !== undefined && { "if-modified-since": known.lastModified }),
    };
    let at = url;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const response = await requests.send(at, { method: "GET", headers, body: null, signal }, allowedOf(tenantId));
      const { location } = response.headers;
      const status = response.statusCode ?? 0;
      if (status < 300 || status === 304 || status >= 400) return response;
      response.destroy();
      if (location === undefined || !URL.canParse(location, at))
        throw new NotPublished(`answered ${status} to nowhere`);
      at = new URL(location, at);
    }
    throw new NotPublished(`redirects more than ${maxRedirects} times`);
  }

  async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new NotPublished(`the file has more than ${maxBytes / 1024 ** 2} MB`);
        yield chunk;
      }
    } catch (error) {
      throw notPublished(error);
    } finally {
      response.destroy();
    }
  }

  return {
    /** Throws NotPublished, also while its bytes are read. */
    async get(
      { name, url }: PublishedFile,
      { tenantId, installation, signal }: { tenantId: string; installation: Installation; signal?: AbortSignal },
      known: Validators = {},
    ): Promise<FetchedFile> {
      const { installationId, missingSecrets } = installation;
      if (missingSecrets.length > 0) throw new NotPublished(lackOf(installationId, missingSecrets).message);
      const late = AbortSignal.timeout(timeoutMs);
      const at = new Date();
      const startedAt = performance.now();
      let status = 0;
      try {
        const ends = signal === undefined ? late : AbortSignal.any([signal, late]);
        const response = await begun(tenantId, url, known, ends);
        status = response.statusCode ?? 0;
        if (status !== 200) response.destroy();
        const isRequested = known.etag !== undefined || known.lastModified !== undefined;
        if (status === 304 && isRequested) return { isSame: true };
        if (status !== 200) throw new NotPublished(`answered ${status}`);
        assertWhole(response);
        return { isSame: false, validators: validatorsOf(response), stream: bytesOf(response) };
      } catch (error) {
        throw notPublished(error);
      } finally {
        const outcome = status === 200 || status === 304 ? "OK" : status >= 400 && status < 500 ? "REFUSED" : "UNKNOWN";
        const durationMs = Math.round(performance.now() - startedAt);
        const made = { operation: "fetch", reference: name, at, status, durationMs, outcome } as const;
        // It is called so seldom that no breaker stands before it.
        notes.note(tenantId, installationId, made, () => false);
      }
    },
    close: () => requests.close(),
  };
}

/** A file whose end nobody marks may be cut, and look whole. */
function assertWhole({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new NotPublished(`answers in ${encoding}, which was not asked for`);
  const isChunked = headers["transfer-encoding"]?.includes("chunked") ?? false;
  if (headers["content-length"] === undefined && !isChunked) throw new NotPublished("does not say where the file ends");
}

function validatorsOf({ headers }: IncomingMessage): Validators {
  const { etag, "last-modified": lastModified } = headers;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

function notPublished(error: unknown): NotPublished {
  return error instanceof NotPublished ? error : new NotPublished(whyNoAnswer(error));
}

/** When the newest of the files was published, as their servers say. */
export function publishedAtOf(validators: readonly Validators[], now: Date): Date | undefined {
  const times = validators
    .map(({ lastModified = "" }) => Date.parse(lastModified))
    .filter((time) => time <= now.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
