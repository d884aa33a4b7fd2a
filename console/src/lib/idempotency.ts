type Fetch = (url: string, init: Init) => Promise<Response>;

interface Init extends Omit<RequestInit, "headers" | "body"> {
  headers: Record<string, string>;
  /** The client writes every content as text. */
  body?: string | null;
}

const header = "x-idempotency-key";
// Refused for now: the same request may be sent again, under the same key.
const passing = new Set([401, 408, 429]);

/**
 * Sends what has an idempotency key under the key that the same request had before, as long as it
 * is not known what became of it: from whichever dialog it is sent again, nothing is done twice.
 * Another content is another request.
 */
export function withOneKey(send: Fetch): Fetch {
  const unsettled = new Map<string, string>();
  return async (url, init) => {
    const given = init.headers[header];
    if (given === undefined) return send(url, init);
    const content = `${init.method} ${url}\n${init.body}`;
    const key = unsettled.get(content) ?? given;
    unsettled.set(content, key);
    const response = await send(url, { ...init, headers: { ...init.headers, [header]: key } });
    if (await isSettled(response)) unsettled.delete(content);
    return response;
  };
}

/** Done, or refused so that it surely did nothing. */
async function isSettled(response: Response): Promise<boolean> {
  if (response.status >= 500 || passing.has(response.status)) return false;
  if (response.status !== 409) return true;
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string };
  return code !== "IDEMPOTENCY_IN_FLIGHT";
}
