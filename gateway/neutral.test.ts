import type { Route } from "./route.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./operations/index.js";

/** What tells somebody that a list is why they wait. */
const tellTales = /screen|sanction|watch.?list|black.?list|\bhits?\b|resembl|OFAC|embargo/i;

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
const document = openApiDocument(routes) as any;

/**
 * All that the documents say of an operation's request and answers, with
 * every schema that they lead to.
 */
function saidOf({ path, method }: Route): string {
  const seen = new Map<string, string>();
  const follow = (value: unknown): string => {
    const text = JSON.stringify(value) ?? "";
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (seen.has(name!)) continue;
      seen.set(name!, "");
      seen.set(name!, `${name} ${follow(document.components.schemas[name!])}`);
    }
    return text;
  };
  const own = follow(document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method]);
  return [own, ...seen.values()].join("\n");
}

const isOfManagers = ({ access }: Route) => Array.isArray(access) && access.every((role) => role === "MANAGER");

test.each(routes.filter((route) => !isOfManagers(route)).map((route) => [route.operationId, route] as const))(
  "%s has no member, choice or word of screening, since others than managers may call it",
  (_operationId, route) => {
    expect(saidOf(route).match(tellTales)).toBeNull();
  },
);

test("those of screening are of managers alone, and say what they are", () => {
  const own = routes.filter(({ path }) => path.includes("/compliance/screening"));
  expect(own.length).toBeGreaterThanOrEqual(15);
  expect(own.filter((route) => !isOfManagers(route)).map(({ operationId }) => operationId)).toEqual([]);
  expect(own.every((route) => tellTales.test(saidOf(route)))).toBe(true);
});
