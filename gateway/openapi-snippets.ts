import type { createDocument } from "zod-openapi";
import type { Document, Flags } from "../sdk/gen/document.js";
import { createSnippets } from "../sdk/gen/snippets.js";
import { documentedPath } from "./openapi-examples.js";
import { tagNouns } from "./openapi-tags.js";
import type { Route } from "./route.js";

/** What the client library is made by, beside the document. */
export function sdkFlags(routes: readonly Route[]): Flags {
  const flagged = routes.flatMap(({ operationId, sdk }) => (sdk === undefined ? [] : [[operationId, sdk] as const]));
  return { operations: Object.fromEntries(flagged), nouns: tagNouns };
}

/** Each operation's example once more, as a call of the client library. */
export function addSnippets(document: ReturnType<typeof createDocument>, routes: readonly Route[]): void {
  const { snippetOf } = createSnippets({ ...(document as unknown as Document), flags: sdkFlags(routes) });
  for (const { path, aliases = [], method, operationId, example } of routes) {
    const sample = { lang: "TypeScript", label: "@manilla/client", source: snippetOf(operationId, example) };
    for (const each of [path, ...aliases]) {
      Object.assign(document.paths![documentedPath(each)]![method]!, { "x-codeSamples": [sample] });
    }
  }
}
