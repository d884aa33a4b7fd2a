import { setTimeout as sleep } from "node:timers/promises";
import * as events from "node:events";
import * as http from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { sourcesOf } from "../../sdk/gen/snippets.js";
import * as groups from "../../sdk/src/generated/groups.js";
import * as library from "../../sdk/src/index.js";
import { routes } from "../../gateway/operations/index.js";
import type { Route } from "../../gateway/route.js";
import type { Demo } from "./edge-client.js";

type Values = Readonly<Record<string, unknown>>;

/** What the texts import. */
const modules = {
  "@manilla/client": library,
  "@manilla/client/groups": groups,
  "node:events": events,
  "node:http": http,
};

/**
 * Runs TypeScript as it stands in the documentation, with these values by their names. Resolves
 * with the variable of the name `result`.
 */
export async function runText(text: string, values: Values, result?: string): Promise<unknown> {
  const imported = text.replaceAll(/^import (\{[^}]*\}) from "([^"]*)";$/gm, 'const $1 = modules["$2"];');
  const code = stripTypeScriptTypes(imported);
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;
  const all = { modules, ...values };
  const run = new AsyncFunction(...Object.keys(all), `${code}\n${result === undefined ? "" : `return ${result};`}`);
  return (run as unknown as (...given: unknown[]) => Promise<unknown>)(...Object.values(all));
}

/** The TypeScript blocks of a Markdown page below a heading. */
export function blocksBelow(page: string, heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`no heading ${heading}`);
  return [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text!);
}

/** How a snippet ended: the status of its last answer, and the code of what was refused. */
export interface Ended {
  status: number;
  code?: string;
  answer?: unknown;
}

/** Runs the snippets of the page's document, each as the demo user whose example it is. */
export async function createSnippetRunner({ baseUrl, tenants }: Demo) {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; "x-codeSamples": { source: string }[] }>>;
  };
  const texts = new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map((operation) => [operation.operationId, operation["x-codeSamples"][0]!.source]),
  );
  const users = tenants.flatMap((tenant) => tenant.users);
  const clients = new Map<string, { manilla: library.Manilla; last: { status: number } }>();

  function clientOf({ as = "amina@demo.example", sandbox = false }: NonNullable<Route["example"]>) {
    const key = `${as} ${sandbox}`;
    const { email, password } = users.find((user) => user.email === as)!;
    const last = { status: 0 };
    const recording: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      last.status = response.status;
      return response;
    };
    const credentials = { email, password };
    const made = { manilla: new library.Manilla({ baseUrl, sandbox, credentials, fetch: recording }), last };
    clients.set(key, clients.get(key) ?? made);
    return clients.get(key)!;
  }

  /** The snippets whose answers it needs run before it. Rejects where one of these is refused. */
  async function run(operationId: string, triesLeft = 30): Promise<Ended> {
    const { example = {} } = routes.find((route) => route.operationId === operationId)!;
    const values: Record<string, unknown> = {};
    for (const source of sourcesOf(example)) {
      const { answer, status, code } = await run(source);
      if (answer === undefined) throw new Error(`${source}, which ${operationId} needs, ended ${status} ${code}`);
      values[variableOf(source)!] = answer;
    }
    const { manilla, last } = clientOf(example);
    const quiet = { log: () => undefined };
    try {
      const text = texts.get(operationId)!;
      const answer = await runText(text, { ...values, manilla, console: quiet }, variableOf(operationId));
      return { status: last.status, answer };
    } catch (error) {
      if (!(error instanceof library.ApiError)) throw new Error(`the snippet of ${operationId}`, { cause: error });
      // Another one of it is under way, as a verification of the ledger that an example began.
      if (error.status === 409 && error.retryAfterS !== undefined && triesLeft > 0) {
        await sleep(1_000);
        return run(operationId, triesLeft - 1);
      }
      return { status: error.status, code: error.code };
    }
  }

  function variableOf(operationId: string): string | undefined {
    return /^const (\w+) =/m.exec(texts.get(operationId) ?? "")?.[1];
  }

  return { run: (operationId: string) => run(operationId) };
}
