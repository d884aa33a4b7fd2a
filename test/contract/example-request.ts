import type { Route } from "../../gateway/route.js";
import type { Sent } from "../gateway/edge.js";

/** The request of the documentation's example, as far as it is known without a running system. */
export function exampleRequest({ method, path, example, sandboxOnly }: Route): Sent & { method: string } {
  const { params = {}, headers = {}, body, query = {} } = example ?? {};
  const place = sandboxOnly ? "/sandbox" : "";
  const filled = `${place}${path}`.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? name),
  );
  const search = new URLSearchParams(query).toString();
  return {
    method: method.toUpperCase(),
    path: search === "" ? filled : `${filled}?${search}`,
    headers: { ...headers },
    body,
  };
}
