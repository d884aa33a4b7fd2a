import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { Refusal } from "../services/kernel/refusal.js";
import type { EdgeContext, EdgeMiddleware } from "./middleware/state.js";

// No inline script or style, nothing of another origin; what is
// downloaded is shown from blob: URLs.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

// Of the libraries that the page contains: their authors ask that it goes with every copy.
const licencesPath = "/console/licences.txt";
const assetsPath = "/console/assets/";
// As the build names assets: without a slash, so none leads out of their folder.
const assetName = /^[\w-]+(\.[\w-]+)+$/;

/** Where deploy/build.mjs puts the console, seen from the built gateway. */
const builtConsole = join(import.meta.dirname, "..", "console");

/**
 * Serves the console of `folder` below /console: its assets for ever, since their names have their
 * hash, the licences of what is in it, and its page at every other path. None needs a tenant; the
 * page of one says its name, as `<meta name="organisation">`, so that whoever signs in knows at
 * whose desk. Refuses NOT_FOUND.
 */
export function serveConsole(nameOf: (ctx: EdgeContext) => Promise<string>, folder = builtConsole): EdgeMiddleware {
  return async (ctx, next) => {
    if (!isOfPage(ctx)) return next();
    if (ctx.path.startsWith(assetsPath)) await answerAsset(ctx, folder, ctx.path.slice(assetsPath.length));
    else if (ctx.path === licencesPath) await answerLicences(ctx, folder);
    else await answerPage(ctx, folder, await nameOf(ctx));
  };
}

/** The sandbox is a switch in the page and no page of its own; the session is an operation. */
function isOfPage({ method, path, state }: EdgeContext): boolean {
  if (state.sandbox || (method !== "GET" && method !== "HEAD")) return false;
  return (path === "/console" || path.startsWith("/console/")) && !/^\/console\/session(\/|$)/.test(path);
}

async function answerPage(ctx: EdgeContext, folder: string, name: string): Promise<void> {
  // Read anew each time: a build may have replaced it and the assets that it names.
  const page = await readFile(join(folder, "index.html"), "utf8").catch(notThere);
  ctx.set("Content-Security-Policy", policy);
  ctx.type = "text/html; charset=utf-8";
  // A function, since a name may hold what a replacement's text would be taken for.
  ctx.body = page.replace("</title>", () => `</title><meta name="organisation" content="${attributeText(name)}" />`);
}

const attributeText = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

async function answerLicences(ctx: EdgeContext, folder: string): Promise<void> {
  ctx.body = await readFile(join(folder, "licences.txt"), "utf8").catch(notThere);
  ctx.type = "text/plain; charset=utf-8";
}

async function answerAsset(ctx: EdgeContext, folder: string, name: string): Promise<void> {
  const type = assetName.test(name) ? types[extname(name)] : undefined;
  if (type === undefined) notThere();
  const plain = join(folder, "assets", name);
  const zipped = ctx.acceptsEncodings("gzip", "identity") === "gzip" ? await sizeOf(`${plain}.gz`) : undefined;
  const size = zipped ?? (await sizeOf(plain)) ?? notThere();
  ctx.set("Cache-Control", "public, max-age=31536000, immutable");
  ctx.vary("Accept-Encoding");
  if (zipped !== undefined) ctx.set("Content-Encoding", "gzip");
  ctx.type = type;
  ctx.body = createReadStream(zipped === undefined ? plain : `${plain}.gz`);
  ctx.length = size;
}

async function sizeOf(path: string): Promise<number | undefined> {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() ? file.size : undefined;
}

function notThere(): never {
  throw new Refusal("NOT_FOUND", "there is no such path");
}
