import { readFile } from "node:fs/promises";
import { z } from "zod";
import { boundedJsonOf } from "../formats/bounded-json.js";
import { Refusal } from "../refusal.js";
import { contextText, MasterKeyError, type KeyContext, type KeyWrapper, type WrappedSecret } from "./key-wrapper.js";

export interface VaultOptions {
  /** Base URL, such as https://vault.example:8200. */
  address: string;
  /** Where the transit engine is mounted. */
  mount: string;
  /** Name of the transit key, which must be derived: that is what binds a secret to its context. */
  key: string;
  login: VaultLogin;
  timeoutMs?: number;
}

/** A token that somebody else keeps fresh in a file, or a login by a JSON Web Token in a file. */
export type VaultLogin = { tokenFile: string } | { authMount: string; role: string; jwtFile: string };

const ciphertextAnswer = z.object({ data: z.object({ ciphertext: z.string().regex(/^vault:v\d+:/) }) });
const plaintextAnswer = z.object({ data: z.object({ plaintext: z.string() }) });
const keyAnswer = z.object({ data: z.object({ latest_version: z.number().int(), derived: z.boolean() }) });
const loginAnswer = z.object({ auth: z.object({ client_token: z.string() }) });

/**
 * The transit engine of HashiCorp Vault and OpenBao. The master key never leaves it, and its
 * versions are Vault's own.
 */
export function createVaultKeys(options: VaultOptions): KeyWrapper {
  const { mount, key } = options;
  const call = createVaultClient(options);
  const prefix = `vault:${mount}/${key}:v`;
  const derivation = ({ service, purpose, keyId }: KeyContext) =>
    Buffer.from(JSON.stringify([service, purpose, keyId])).toString("base64");
  const wrappedOf = (sealed: string): WrappedSecret => ({
    masterKeyId: `${prefix}${/^vault:v(\d+):/.exec(sealed)![1]!}`,
    sealed,
  });

  async function newest(): Promise<string> {
    const { data } = await call("GET", `${mount}/keys/${key}`, undefined, keyAnswer);
    if (!data.derived) {
      throw new MasterKeyError(`the transit key ${key} must be derived: nothing else binds a secret to its place`);
    }
    return `${prefix}${data.latest_version}`;
  }

  return {
    owns: (masterKeyId) => masterKeyId.startsWith(prefix),
    newest,
    async wrap(secret, context) {
      await newest();
      const body = { plaintext: Buffer.from(secret).toString("base64"), context: derivation(context) };
      const { data } = await call("POST", `${mount}/encrypt/${key}`, body, ciphertextAnswer);
      return wrappedOf(data.ciphertext);
    },
    async unwrap({ sealed }, context) {
      const body = { ciphertext: sealed, context: derivation(context) };
      const { data } = await call("POST", `${mount}/decrypt/${key}`, body, plaintextAnswer, contextText(context));
      return Buffer.from(data.plaintext, "base64");
    },
    async rewrap({ sealed }, context) {
      const body = { ciphertext: sealed, context: derivation(context) };
      const { data } = await call("POST", `${mount}/rewrap/${key}`, body, ciphertextAnswer, contextText(context));
      return wrappedOf(data.ciphertext);
    },
  };
}

/** One request of Vault's HTTP API, logged in anew where the token has ended. */
function createVaultClient({ address, login, timeoutMs = 3_000 }: VaultOptions) {
  const base = `${address.replace(/\/+$/, "")}/v1/`;
  let token: Promise<string> | undefined;

  async function ask(method: string, path: string, body: unknown, own: string | undefined): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, {
        method,
        redirect: "error",
        headers: { ...(own !== undefined && { "X-Vault-Token": own }), "X-Vault-Request": "true" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw away(error instanceof Error ? error.name : "no answer");
    }
  }

  async function logIn(): Promise<string> {
    if ("tokenFile" in login) return readSecretFile(login.tokenFile, "MASTER_KEY_VAULT_TOKEN_FILE");
    const { authMount, role, jwtFile } = login;
    const jwt = await readSecretFile(jwtFile, "MASTER_KEY_VAULT_JWT_FILE");
    const response = await ask("POST", `auth/${authMount}/login`, { role, jwt }, undefined);
    return (await answerOf(response, loginAnswer, `the login as ${role}`)).auth.client_token;
  }

  async function call<T>(method: string, path: string, body: unknown, shape: z.ZodType<T>, what = path): Promise<T> {
    const isFresh = token === undefined;
    token ??= logIn();
    const used = token;
    const forget = (): void => void (token === used && (token = undefined));
    const response = await used
      .then((own) => ask(method, path, body, own))
      .catch((error: unknown) => {
        forget();
        throw error;
      });
    // A token that has ended is refused just as one without permission is.
    if (response.status !== 403) return answerOf(response, shape, what);
    forget();
    if (isFresh) return answerOf(response, shape, what);
    token ??= logIn();
    return answerOf(await ask(method, path, body, await token), shape, what);
  }
  return call;
}

async function answerOf<T>(response: Response, shape: z.ZodType<T>, what: string): Promise<T> {
  const { status } = response;
  // 412 is a replica that lags, 429 a standby or a limit, 473 a standby; a sealed one says 503.
  if (status >= 500 || [412, 429, 472, 473].includes(status)) throw away(`status ${status}`);
  const content: unknown = await boundedJsonOf(response).catch(() => undefined);
  if (status >= 400) {
    const { errors = [] } = (content ?? {}) as { errors?: string[] };
    throw new MasterKeyError(`Vault refuses ${what}: ${status} ${errors.join("; ").slice(0, 300)}`.trimEnd());
  }
  const parsed = shape.safeParse(content);
  if (!parsed.success) throw new MasterKeyError(`Vault answers ${what} with something else than was asked for`);
  return parsed.data;
}

const away = (reason: string): Refusal => new Refusal("UNAVAILABLE", `the key service does not answer: ${reason}`);

async function readSecretFile(file: string, variable: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new MasterKeyError(`${variable} ${file} cannot be read: ${error.code ?? "unknown error"}`);
  });
  return text.trim();
}
