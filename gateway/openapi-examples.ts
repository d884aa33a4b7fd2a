import type { createDocument } from "zod-openapi";
import { madeExample, type Schema } from "./made-example.js";
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
        if (value !== undefined) parameter.example = inTypeOf(parameter.schema as Schema | undefined, value);
      }
    }
  }
}

/** A query holds texts; where the document has a whole number, its example is one. */
function inTypeOf(schema: Schema | undefined, value: string): string | number {
  return schema?.type === "integer" ? Number(value) : value;
}

/** What the route declares, or what is made from the schema that the document has. */
export function addAnswerExamples(document: Document, routes: readonly Route[]): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const route of routes) {
    const { path, aliases = [], method, example } = route;
    const declared = { "200": example?.answer, "202": example?.waitingAnswer };
    for (const each of [path, ...aliases]) {
      const responses = document.paths?.[documentedPath(each)]?.[method]?.responses;
      for (const status of ["200", "202"] as const) {
        const content = responses?.[status]?.content?.["application/json"];
        if (content === undefined) continue;
        const answer = declared[status] ?? answerOf(route, status, content.schema as Schema, schemas);
        const message = (status === "202" && waitingMessage(route)) || route.message;
        content.example = route.bare ? answer : { status: "SUCCESS", data: answer, message };
      }
    }
  }
}

/**
 * What stands in the envelope where there is one; of several forms the last is the one that waits.
 */
function answerOf({ bare }: Route, status: "200" | "202", schema: Schema, schemas: Record<string, Schema>): unknown {
  const data = bare ? schema : (schema.properties?.["data"] ?? {});
  return madeExample((status === "202" && data.anyOf?.at(-1)) || data, schemas);
}

export function documentedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
