import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type Router from "@koa/router";
import assetsFolder from "swagger-ui-dist/absolute-path.js";
import type { EdgeContext, EdgeState } from "./middleware/state.js";
import { ownHost } from "./openapi.js";

// The page loads from here alone; Swagger UI draws icons from data: URLs and sets styles by script.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Manilla API</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="operations"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/setup.js"></script>
  </body>
</html>
`;

// Swagger UI shows no x-codeSamples by itself: they stand above an operation's answers.
const setup = `const CodeSamples = () => ({
  wrapComponents: {
    responses: (Responses, { React, getComponent, specSelectors }) => (props) => {
      const at = ["paths", props.path, props.method, "x-codeSamples"];
      const samples = specSelectors.specJson().getIn(at)?.toJS() ?? [];
      const Code = getComponent("HighlightCode", true);
      const shown = samples.map(({ lang, label, source }) =>
        React.createElement(
          "div",
          { className: "opblock-section code-sample", key: lang },
          React.createElement(
            "div",
            { className: "opblock-section-header" },
            React.createElement("h4", null, lang + ", " + label),
          ),
          React.createElement(Code, { language: "javascript", canCopy: true }, source),
        ),
      );
      return React.createElement(React.Fragment, null, ...shown, React.createElement(Responses, props));
    },
  },
});

// What events carry stands below the sections, and is drawn when it is opened, as they are.
const ClosedWebhooks = () => ({
  wrapComponents: {
    Webhooks: (Webhooks, { React }) => (props) => {
      const [isOpen, setOpen] = React.useState(false);
      return React.createElement(
        "details",
        { className: "webhooks-section", onToggle: ({ target, currentTarget }) => target === currentTarget && setOpen(target.open) },
        React.createElement("summary", null, "What events carry"),
        isOpen && React.createElement(Webhooks, props),
      );
    },
  },
});

// Requests go to where the page came from, not to the document's variable.
const here = (servers) =>
  servers.map(({ url, description }) => ({ url: url.replace(${JSON.stringify(ownHost)}, "") || "/", description }));

const show = (spec) => {
  spec.servers = here(spec.servers);
  for (const item of Object.values(spec.paths))
    for (const operation of Object.values(item)) if (operation.servers) operation.servers = here(operation.servers);
  SwaggerUIBundle({
    spec,
    dom_id: "#operations",
    plugins: [CodeSamples, ClosedWebhooks],
    deepLinking: true,
    displayRequestDuration: true,
    // Some 300 operations at once hold the browser for seconds: a section opens when asked for.
    docExpansion: "none",
    defaultModelsExpandDepth: -1,
    filter: true,
    validatorUrl: null,
  });
};

fetch("/openapi.json")
  .then((answer) => answer.json())
  .then(show, () => void (document.getElementById("operations").textContent = "The document did not come; load again."));
`;

const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const whereToLook = JSON.stringify({
  status: "SUCCESS",
  data: { documentation: "/docs", openApi: "/openapi.json" },
  message: "This is the API of Manilla",
});

interface Published {
  etag: string;
  plain: Buffer;
  /** Packed when it is first asked for. */
  packed?: Promise<Buffer>;
}

/** Whoever has this version is answered 304, and whoever can unpack gets a tenth of the bytes. */
async function answerDocument(ctx: EdgeContext, published: Published): Promise<void> {
  ctx.type = "application/json; charset=utf-8";
  ctx.set("Cache-Control", "no-cache");
  ctx.vary("Accept-Encoding");
  const isPacked = ctx.acceptsEncodings("gzip", "identity") === "gzip";
  ctx.set("ETag", `"${published.etag}${isPacked ? "-gzip" : ""}"`);
  ctx.status = 200;
  if (ctx.fresh) return void (ctx.status = 304);
  if (!isPacked) return void (ctx.body = published.plain);
  published.packed ??= promisify(gzip)(published.plain, { level: 9 });
  ctx.set("Content-Encoding", "gzip");
  ctx.body = await published.packed;
}

/**
 * The documentation page at /docs, of files of our own alone, the document it shows, and where they
 * are. None needs a tenant.
 */
export function addDocumentation(router: Router<EdgeState>, document: string): void {
  router.get("/", (ctx) => {
    ctx.type = "application/json; charset=utf-8";
    ctx.body = whereToLook;
  });
  const plain = Buffer.from(document);
  const published: Published = { plain, etag: createHash("sha256").update(plain).digest("base64url").slice(0, 22) };
  router.get("/openapi.json", (ctx) => answerDocument(ctx, published));
  router.get(["/docs", "/docs/"], (ctx) => answer(ctx, "text/html; charset=utf-8", page));
  router.get("/docs/setup.js", (ctx) => answer(ctx, "text/javascript; charset=utf-8", setup));
  for (const [name, type] of Object.entries(assets)) {
    // The bundle is read anew each time: it is too large to hold for a page that is rarely looked
    // at.
    router.get(`/docs/${name}`, (ctx) => {
      answer(ctx, type, createReadStream(join(assetsFolder(), name)));
      ctx.set("Cache-Control", "public, max-age=3600");
    });
  }
}

function answer(ctx: EdgeContext, type: string, body: EdgeContext["body"]): void {
  ctx.set("Content-Security-Policy", policy);
  ctx.type = type;
  ctx.body = body;
}
