import { ApiError } from "@manilla/client";

// Refused for now: the same request may be sent again, under the same key.
const passing = new Set([401, 408, 429]);

/**
 * The key of what a form sends. A try again has the same one, so that nothing is done twice. It is
 * a new one after a success, and after a refusal that surely did nothing.
 */
export class RequestKey {
  #key: string | undefined;

  current(): string {
    return (this.#key ??= crypto.randomUUID());
  }

  succeeded(): void {
    this.#key = undefined;
  }

  failed(error: unknown): void {
    if (!(error instanceof ApiError) || error.status >= 500 || passing.has(error.status)) return;
    if (error.code !== "IDEMPOTENCY_IN_FLIGHT") this.#key = undefined;
  }
}
