import type { IncomingMessage } from "node:http";
import { JsonNumber, parseJson } from "../../services/kernel/json.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { EdgeContext } from "./state.js";

/** Of a request's body, in bytes. */
export const maxBodyBytes = 256 * 1024;
const maxJsonDepth = 32;

/**
 * Reads the body without judging its content. Refuses BODY_TOO_LARGE (the rest is not kept) and
 * MEDIA_TYPE. undefined where none was sent.
 */
export async function readBody(ctx: EdgeContext): Promise<Buffer | undefined> {
  const { req } = ctx;
  if (Number(req.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  if (!req.headers["transfer-encoding"] && !Number(req.headers["content-length"] ?? 0)) return undefined;
  if (!ctx.state.route?.body) return undefined;
  const encoding = req.headers["content-encoding"]?.toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new Refusal("MEDIA_TYPE", "Content-Encoding is not supported; send the body as it is");
  }
  if (!isJson(req.headers["content-type"], ctx.state.route.bodyOptional)) {
    throw new Refusal("MEDIA_TYPE", "Content-Type must be application/json");
  }
  const body = await collect(req);
  return body.length === 0 ? undefined : body;
}

/** Parses a body with its numbers exact. Refuses INVALID_INPUT. */
export function parseBody(body: Buffer): object {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new Refusal("INVALID_INPUT", "the body is not UTF-8");
  }
  const value = parseJson(text, { maxDepth: maxJsonDepth });
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonNumber) {
    throw new Refusal("INVALID_INPUT", "the body must be a JSON object");
  }
  return value;
}

function isJson(contentType: string | undefined, mayBeAbsent = false): boolean {
  if (contentType === undefined) return mayBeAbsent;
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  return type === "application/json" && (charset === undefined || charset === "utf-8" || charset === "utf8");
}

/** The body's bytes as they came. Refuses BODY_TOO_LARGE. */
export function collect(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    req.once("end", () => resolve(Buffer.concat(chunks)));
    req.once("error", () => reject(new Refusal("INVALID_INPUT", "the body was cut off")));
    req.once("close", () => reject(new Refusal("INVALID_INPUT", "the body was cut off")));
  });
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `the body is larger than ${maxBodyBytes / 1024} kB`);
}
