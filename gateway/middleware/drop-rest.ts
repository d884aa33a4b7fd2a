import type { EdgeMiddleware } from "./state.js";

// More than a client sends who does not know our limit, and less than would cost us anything.
const mostBytes = 32 * 1024 * 1024;
const mostMs = 5_000;

/**
 * Reads and drops what still comes of a body that was answered before its end, up to a number of
 * bytes and for some seconds: whoever writes it all before reading would find a broken pipe where
 * the answer is. Then the connection ends, if it was to.
 */
export function dropRest(bounds = { mostBytes, mostMs }): EdgeMiddleware {
  return async (ctx, next) => {
    await next();
    const { req, res } = ctx;
    if (req.complete || req.destroyed) return;
    const { socket } = req;
    const isToEnd = !res.shouldKeepAlive;
    // Node would close it as soon as the answer is written, and reset whoever is still writing.
    res.shouldKeepAlive = true;
    let left = bounds.mostBytes;
    const cut = setTimeout(() => socket.destroy(), bounds.mostMs);
    socket.once("close", () => clearTimeout(cut));
    req.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    req.once("end", () => {
      clearTimeout(cut);
      if (!isToEnd) return;
      if (res.writableFinished) socket.end();
      else res.once("finish", () => socket.end());
    });
  };
}
