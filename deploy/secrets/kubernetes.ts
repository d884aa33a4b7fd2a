import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { z } from "zod";
import type { SecretStore } from "./make-secrets.js";
import type { Entries, NewSecret, StoredSecret } from "./plan.js";

const timeoutMs = 30_000;

export const apiServerEnv = z.object({
  KUBERNETES_SERVICE_HOST: z.string(),
  KUBERNETES_SERVICE_PORT: z.coerce.number().int().default(443),
  /** Folder with token, ca.crt and namespace, as Kubernetes mounts it. */
  SERVICE_ACCOUNT_DIR: z.string().default("/var/run/secrets/kubernetes.io/serviceaccount"),
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface SecretObject {
  metadata: { name: string; resourceVersion: string };
  data?: Record<string, string>;
}

/**
 * Secrets of the namespace that this pod is in, by the rights of its service account. What the API
 * server refuses throws with its status and its reason, never with what was sent.
 */
export async function openSecrets(config: z.infer<typeof apiServerEnv>): Promise<SecretStore & { close(): void }> {
  const mounted = (name: string) => readFile(join(config.SERVICE_ACCOUNT_DIR, name), "utf8");
  const [ca, namespace] = [await mounted("ca.crt"), (await mounted("namespace")).trim()];
  const agent = new Agent({ ca, keepAlive: true });
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    // Read each time: Kubernetes renews it.
    const token = (await mounted("token")).trim();
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    return await new Promise((resolve, reject) => {
      const requested = request(
        {
          agent,
          method,
          path,
          host: config.KUBERNETES_SERVICE_HOST,
          port: config.KUBERNETES_SERVICE_PORT,
          headers: body ? { ...headers, "content-type": contentType(method) } : headers,
          timeout: timeoutMs,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.once("error", reject);
          response.once("end", () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
          );
        },
      );
      requested.once("timeout", () =>
        requested.destroy(new Error(`the API server has not answered for ${timeoutMs / 1_000} s`)),
      );
      requested.once("error", reject);
      requested.end(body && JSON.stringify(body));
    });
  }

  const pathOf = (name: string) => `${base}/${encodeURIComponent(name)}`;
  return {
    async get(name) {
      const answer = await ask("GET", pathOf(name));
      if (answer.status === 404) return undefined;
      return storedOf(JSON.parse(expectOk(answer, "read", name).text) as SecretObject);
    },
    async create(secret) {
      const answer = await ask("POST", base, objectOf(secret));
      if (answer.status === 409) return false;
      expectOk(answer, "made", secret.name);
      return true;
    },
    async change({ name, version }, entries) {
      // With its version, so that nothing is lost that others write, and nothing else is touched.
      const patch = { metadata: { resourceVersion: version }, data: encoded(entries) };
      const answer = await ask("PATCH", pathOf(name), patch);
      if (answer.status === 409 || answer.status === 404) return false;
      expectOk(answer, "changed", name);
      return true;
    },
    close: () => agent.destroy(),
  };
}

const contentType = (method: string) => (method === "PATCH" ? "application/merge-patch+json" : "application/json");

function expectOk(answer: Answer, done: string, name: string): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(`secret ${name} cannot be ${done}: ${answer.status} ${reasonOf(answer.text)}`);
}

/** The `reason` of a Status object; its message may quote what was sent. */
function reasonOf(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return typeof reason === "string" ? reason : "";
  } catch {
    return "";
  }
}

function storedOf({ metadata, data = {} }: SecretObject): StoredSecret {
  const entries = Object.fromEntries(
    Object.entries(data).map(([entry, value]) => [entry, Buffer.from(value, "base64").toString("utf8")]),
  );
  return { name: metadata.name, entries, version: metadata.resourceVersion };
}

function objectOf({ name, type, labels, entries }: NewSecret): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, labels }, type, data: encoded(entries) };
}

function encoded(entries: Entries): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([entry, value]) => [entry, Buffer.from(value, "utf8").toString("base64")]),
  );
}
