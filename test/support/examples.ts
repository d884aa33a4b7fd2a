import { randomUUID } from "node:crypto";
import { routes } from "../../gateway/operations/index.js";
import type { Route } from "../../gateway/route.js";
import { createEdgeClient, type Demo, type DemoUser, type EdgeAnswer } from "./edge-client.js";

interface SendOptions {
  /** Somebody else than the example's own user. */
  as?: DemoUser;
  /** Where that user logs in, and where the request goes. */
  loginHost?: string;
  host?: string;
}

/**
 * Sends the examples of the documentation as they are written, save what they take from other
 * operations' answers and their keys, which have to be new for each run.
 */
export function createExamples(demo: Demo) {
  const answers = new Map<string, EdgeAnswer>();
  const tokens = new Map<string, string>();

  function routeOf(operationId: string): Route {
    const found = routes.find((route) => route.operationId === operationId);
    if (!found) throw new Error(`there is no operation ${operationId}`);
    return found;
  }

  async function tokenOf(user: DemoUser, host: string, prefix: string): Promise<string> {
    const key = `${user.email} ${host} ${prefix}`;
    const known = tokens.get(key);
    if (known !== undefined) return known;
    const client = createEdgeClient(demo.baseUrl, host, prefix);
    const { body, text } = await client.login(user);
    if (body?.access_token === undefined) throw new Error(`${user.email} cannot log in: ${text}`);
    tokens.set(key, body.access_token);
    return body.access_token;
  }

  async function answerOf(operationId: string): Promise<EdgeAnswer> {
    const known = answers.get(operationId);
    if (known) return known;
    const answer = await send(operationId);
    if (answer.status !== 200) throw new Error(`the example of ${operationId} fails: ${answer.status} ${answer.text}`);
    answers.set(operationId, answer);
    return answer;
  }

  /** What the example sends, filled in, and the client of whom it is sent by. */
  async function requestOf(operationId: string, options: SendOptions = {}) {
    const { method, path, example } = routeOf(operationId);
    if (!example) throw new Error(`${operationId} has no example`);
    const parts: Record<string, Record<string, unknown>> = {
      params: { ...example.params },
      headers: { ...example.headers },
      query: { ...example.query },
      body: { ...example.body },
    };
    for (const [member, from] of Object.entries(example.from ?? {})) {
      const [source = "", place = ""] = from.split(" ");
      const [part = "", name = ""] = member.split(/\.(.*)/s);
      parts[part]![name] = valueAt((await answerOf(source)).body, place);
    }
    // What must be new for each run.
    for (const key of ["x-idempotency-key"]) if (key in parts["headers"]!) parts["headers"]![key] = randomUUID();
    if ("paymentGatewayRef" in parts["body"]!) parts["body"]!["paymentGatewayRef"] = randomUUID();
    const isKeyed = "x-idempotency-key" in parts["headers"]!;
    if (isKeyed && "email" in parts["body"]!) parts["body"]!["email"] = `${randomUUID()}@demo.example`;
    const prefix = example.sandbox ? "/sandbox" : "";
    const user = options.as ?? demo.tenants.flatMap(({ users }) => users).find(({ email }) => email === example.as);
    const { host = "localhost", loginHost = "localhost" } = options;
    const client = createEdgeClient(demo.baseUrl, host, prefix);
    if (example.as !== undefined) client.useToken(await tokenOf(user!, loginHost, prefix));
    const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) =>
      encodeURIComponent(String(parts["params"]![name])),
    );
    const search = new URLSearchParams(parts["query"] as Record<string, string>).toString();
    return {
      client,
      method: method.toUpperCase(),
      prefix,
      path: search === "" ? filled : `${filled}?${search}`,
      headers: parts["headers"] as Record<string, string>,
      ...(example.body && { body: parts["body"] }),
    };
  }

  async function send(operationId: string, options: SendOptions = {}): Promise<EdgeAnswer> {
    const { client, method, path, headers, body } = await requestOf(operationId, options);
    const answer = await client.send(method, path, { headers, ...(body && { body }) });
    if (answer.body?.code !== "POSSIBLE_DUPLICATE") return answer;
    // Whom a run before this one registered is somebody else.
    const notDuplicates = String(answer.body.figures.customerCodes).split(", ");
    const again = { headers: { ...headers, "x-idempotency-key": randomUUID() }, body: { ...body, notDuplicates } };
    return client.send(method, path, again);
  }

  return { requestOf, send };
}

function valueAt(body: unknown, place: string): unknown {
  return place.split(".").reduce((at: any, name) => at?.[name], body);
}
