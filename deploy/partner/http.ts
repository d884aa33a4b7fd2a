import type { Context } from "koa";
import type { z } from "zod";

const bodyLimitBytes = 4_000_000;

/**
 * Reads and checks a JSON body; answers 400 or 413 itself and returns undefined where it does not
 * fit.
 */
export async function readBody<S extends z.ZodType>(ctx: Context, schema: S): Promise<z.infer<S> | undefined> {
  const bytes = await readBytes(ctx);
  if (bytes === undefined) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString("utf8"));
  } catch {
    return refuse(ctx, 400, "the body is not JSON");
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  return refuse(ctx, 400, `${first?.path.join(".") ?? ""}: ${first?.message ?? "invalid"}`);
}

/** Reads a body of any kind; answers 413 itself and returns undefined where it is too large. */
export async function readBytes(ctx: Context): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimitBytes) return refuse(ctx, 413, "the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Answers with an error and returns undefined, so that callers can `return refuse(…)`. */
export function refuse(ctx: Context, status: number, message: string): undefined {
  ctx.status = status;
  ctx.body = { error: message };
  return undefined;
}

/** Ends the connection without an answer, as a lost network would. */
export function cutConnection(ctx: Context): undefined {
  ctx.respond = false;
  ctx.req.socket.destroy();
  return undefined;
}
