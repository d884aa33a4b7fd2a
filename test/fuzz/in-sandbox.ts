import { createEdgeClient, demoUser, type Demo, type DemoUser } from "../support/edge-client.js";
import type { SchemathesisRun } from "../support/schemathesis.js";
import { readKnownIds, type OpenApiDocument } from "./known-ids.js";

export const roles = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"] as const;

// What an answer must be whoever asks for whatever: never 5xx, documented, and of its schema.
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
].join(",");

const operationIdsOf = (document: OpenApiDocument): string[] =>
  Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap((one) => one?.operationId ?? []));

export type SandboxSession = Awaited<ReturnType<typeof inSandbox>>;

/**
 * A session of each role, made before anything is made up: that may ask for second factors or let
 * nobody in afterwards.
 */
export async function sessionsInSandbox(
  demo: Demo,
  tenant = 0,
): Promise<ReadonlyMap<DemoUser["role"], SandboxSession>> {
  const document = (await (await fetch(`${demo.baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  const sessions = new Map<DemoUser["role"], SandboxSession>();
  for (const role of roles) sessions.set(role, await inSandbox(demo, role, document, tenant));
  return sessions;
}

/**
 * What a run in the sandbox of a demo tenant needs: a session of one of its role and the ids that
 * this session is shown.
 */
async function inSandbox(
  demo: Demo,
  role: DemoUser["role"],
  document: OpenApiDocument,
  tenant: number,
): Promise<Pick<SchemathesisRun, "baseUrl" | "prefix" | "host" | "token" | "operationIds" | "checks" | "knownIds">> {
  const { baseUrl } = demo;
  const user = demoUser(demo, role, { tenant });
  const [host, prefix] = [demo.tenants[tenant]?.host ?? "", "/sandbox"];
  const client = createEdgeClient(baseUrl, host, prefix);
  const { status, text } = await client.login(user);
  if (status !== 200) throw new Error(`${user.email} cannot log in to the sandbox: ${text}`);
  const knownIds = await readKnownIds(client, document);
  const token = client.token() ?? "";
  return { baseUrl, prefix, host, token, operationIds: operationIdsOf(document), checks, knownIds };
}
