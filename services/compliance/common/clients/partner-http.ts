import { Refusal } from "../../../kernel/refusal.js";

/** Somebody outside whom we call. */
export interface Endpoint {
  /** Such as https://messages.example */
  url: string;
  apiKey: string;
}

/**
 * Live tenants and sandboxes have endpoints of their own: a sandbox never reaches a live partner.
 */
export interface Endpoints {
  live?: Endpoint | undefined;
  sandbox?: Endpoint | undefined;
}

/** On whose behalf a partner is called. */
export interface Account {
  tenantId: string;
  isSandbox: boolean;
}

export const timeoutMs = 5_000;

/**
 * POSTs JSON to a partner; the answer's status and text. Throws Refusal UNAVAILABLE where nobody
 * knows what came of it.
 */
export async function postJson(
  endpoints: Endpoints,
  account: Account,
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const kind = account.isSandbox ? "sandbox" : "live";
  const endpoint = endpoints[kind];
  if (endpoint === undefined) {
    throw new Refusal("UNAVAILABLE", `no connector for ${path} is set up for ${kind} tenants`);
  }
  const ends = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(new URL(path, endpoint.url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${endpoint.apiKey}`,
        "content-type": "application/json",
        "x-account": account.tenantId,
      },
      body: JSON.stringify(body),
      redirect: "error",
      signal: signal === undefined ? ends : AbortSignal.any([signal, ends]),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const away = new Refusal("UNAVAILABLE", "the partner does not answer");
    away.cause = error;
    throw away;
  }
}
