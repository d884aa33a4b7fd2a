import type Router from "@koa/router";
import type { Rules } from "./behaviours.js";
import { readBytes, refuse } from "./http.js";
import type { PublishedLists } from "./lists.js";
import { authenticated } from "./payout-routes.js";

/**
 * Gives screening lists away as whoever keeps the published ones does;
 * all names in them are made up.
 */
export function addListRoutes(router: Router, deps: { lists: PublishedLists; rules: Rules; apiKey: string }): void {
  const { lists } = deps;
  const guarded = authenticated(deps);

  router.get("/v1/screening-lists", guarded, (ctx) => {
    ctx.body = {
      lists: lists.sources().map(([source, files]) => ({
        source,
        files: files.map(({ part, sha256 }) => ({ part: part === "LIST" ? "" : part, sha256 })),
      })),
    };
  });

  router.get("/v1/screening-lists/:source/:part", guarded, (ctx) => {
    const file = lists.find(ctx.params["source"] ?? "", ctx.params["part"] ?? "");
    if (file === undefined) return refuse(ctx, 404, "no such list");
    ctx.type = "application/octet-stream";
    ctx.body = file.content;
  });

  // Of the sandbox only, without a credential: it listens on loopback. Gone with the process.
  router.put("/control/screening-lists/:source/:part", async (ctx) => {
    const content = await readBytes(ctx);
    if (content === undefined) return;
    if (!lists.replace(ctx.params["source"] ?? "", ctx.params["part"] ?? "", content)) {
      return refuse(ctx, 404, "no such list");
    }
    ctx.status = 204;
  });

  router.delete("/control/screening-lists", (ctx) => {
    lists.restore();
    ctx.status = 204;
  });
}
