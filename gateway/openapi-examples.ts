import type { createDocument } from "zod-openapi";
import { exampleOf, withOwn } from "./examples.js";
import { waitingMessage, type Route } from "./route.js";

type Document = ReturnType<typeof createDocument>;

/**
 * Examples of headers and parameters stand at the parameter: a schema is shared, an example belongs
 * to an operation.
 */
export function addParameterExamples(document: Document, routes: readonly Route[]): void {
  for (const { path, aliases = [], method, example } of routes) {
    const given: Record<string, string> = { ...example?.headers, ...example?.params, ...example?.query };
    for (const each of [path, ...aliases]) {
      for (const parameter of document.paths?.[documentedPath(each)]?.[method]?.parameters ?? []) {
        if (!("name" in parameter)) continue;
        const value = given[parameter.name];
        if (value !== undefined) parameter.example = inTypeOf(parameter.schema, value);
      }
    }
  }
}

/** A query holds texts; where the document has a whole number, its example is one. */
function inTypeOf(schema: unknown, value: string): string | number {
  return (schema as { type?: string } | undefined)?.type === "integer" ? Number(value) : value;
}

/** What the leaves of the answer show, with what the route says of its own. */
export function addAnswerExamples(document: Document, routes: readonly Route[]): void {
  for (const route of routes) {
    const { path, aliases = [], method, bare } = route;
    for (const each of [path, ...aliases]) {
      const responses = document.paths?.[documentedPath(each)]?.[method]?.responses;
      for (const status of ["200", "202"] as const) {
        const content = responses?.[status]?.content?.["application/json"];
        if (content === undefined) continue;
        const answer = exampleAnswer(route, status);
        const message = (status === "202" && waitingMessage(route)) || route.message;
        content.example = bare ? answer : { status: "SUCCESS", data: answer, message };
      }
    }
  }
}

/** What an operation is shown to answer: `data`, or all of it where `bare`. */
export function exampleAnswer({ answer, example }: Route, status: "200" | "202"): unknown {
  const own = status === "200" ? example?.answer : example?.waitingAnswer;
  return withOwn(exampleOf(answer, status === "202"), own);
}

export function documentedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
