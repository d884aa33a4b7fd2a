import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** What of an answer is compared with the OpenAPI document. */
export interface SeenAnswer {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  contentType: string;
  text: string;
}

interface DocumentedAnswer {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}
interface DocumentedOperation {
  operationId: string;
  responses: Record<string, DocumentedAnswer>;
}
interface OpenApi {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

export const formats = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  ipv4: true,
  ipv6: true,
  int64: true,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
} as const;

/**
 * Compares answers with the OpenAPI document: the status stands there, and the body is of its
 * schema. Tells what differs; undefined where nothing does, or where no operation was asked.
 */
export function createAnswerCheck(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema(document as object, "doc");
  const validators = new Map<string, ValidateFunction>();
  const byPath = Object.entries(document.paths).map(([path, operations]) => ({
    path,
    operations,
    // What is plain wins over what has parameters, as in the gateway.
    parameters: path.split("{").length,
    form: new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  byPath.sort((a, b) => a.parameters - b.parameters);

  function validatorOf(pointer: readonly string[]): ValidateFunction {
    const escaped = pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
    let known = validators.get(escaped);
    if (known === undefined) validators.set(escaped, (known = ajv.compile({ $ref: `doc#/${encodeURI(escaped)}` })));
    return known;
  }

  return ({ method, path, status, contentType, text }: SeenAnswer): string | undefined => {
    const plain = path.split("?")[0]!.replace(/^\/sandbox(?=\/)/, "");
    const found = byPath.find((one) => one.form.test(plain) && one.operations[method.toLowerCase()] !== undefined);
    const operation = found?.operations[method.toLowerCase()];
    if (found === undefined || operation === undefined) return undefined;
    const seen = `${operation.operationId} answered ${status}`;
    const documented = operation.responses[String(status)];
    if (documented === undefined) return `${seen}, which the document does not have: ${text.slice(0, 500)}`;
    const shared = documented.$ref?.replace(/^#\//, "").split("/");
    const at = shared ?? ["paths", found.path, method.toLowerCase(), "responses", String(status)];
    const content = (shared ? resolve(document, shared) : documented).content ?? {};
    const type = contentType.split(";")[0]!;
    if (!Object.keys(content).some((one) => one.split(";")[0] === type))
      return `${seen} with ${type}, of which the document knows nothing`;
    if (type !== "application/json") return undefined;
    const isValid = validatorOf([...at, "content", type, "schema"]);
    if (isValid(JSON.parse(text))) return undefined;
    const faults = isValid.errors?.slice(0, 5).map((one) => `${one.instancePath} ${one.message}`);
    return `${seen}, off its schema: ${faults?.join("; ")}: ${text.slice(0, 500)}`;
  };
}

function resolve(document: object, pointer: readonly string[]): DocumentedAnswer {
  return pointer.reduce((node, part) => (node as Record<string, object>)[part]!, document);
}

let committed: ReturnType<typeof createAnswerCheck> | undefined;

/** Throws where an answer is not what docs/openapi.json says; `npm run openapi` writes that. */
export function assertDocumented(answer: SeenAnswer): void {
  committed ??= createAnswerCheck(JSON.parse(readFileSync("docs/openapi.json", "utf8")) as OpenApi);
  const fault = committed(answer);
  if (fault !== undefined) throw new Error(fault);
}
