import type { Code } from "./generated/codes.js";
import type { Sent } from "./operation.js";

/** Everything that this library throws by itself. No message has a secret in it. */
export class ManillaError extends Error {
  override name = "ManillaError";
}

/** The client cannot be made of these options. */
export class ConfigurationError extends ManillaError {
  override name = "ConfigurationError";
}

/** Refused before anything was sent. */
export class InputError extends ManillaError {
  override name = "InputError";
}

/** No answer came: what was asked may have been done, or not. */
export class ConnectionError extends ManillaError {
  override name = "ConnectionError";
  readonly sent: Sent;

  constructor(message: string, sent: Sent) {
    super(`${sent.operation}: ${message} (interaction ${sent.interactionId})`);
    this.sent = sent;
  }
}

/** The call's own deadline passed: what was asked may have been done, or not. */
export class DeadlineError extends ConnectionError {
  override name = "DeadlineError";
}

/** What a refusal says. */
export type Refusal = Pick<ApiError, "message" | "code"> & Partial<Pick<ApiError, "errors" | "figures">>;

/** The answer is a refusal or a fault. The subclass tells its status; `code` says more. */
export class ApiError extends ManillaError {
  override name = "ApiError";
  readonly status!: number;
  /** A code of a newer server may be none of these. */
  readonly code!: Code | (string & {});
  /** What is wrong with which member of the request. */
  readonly errors!: readonly { path: string; message: string }[];
  /** Figures that explain it, amounts as decimal text. */
  readonly figures!: Readonly<Record<string, string>>;
  readonly sent!: Sent;
  readonly retryAfterS: number | undefined;
}

export class BadRequestError extends ApiError {}
export class AuthenticationError extends ApiError {}
export class PermissionError extends ApiError {}
export class NotFoundError extends ApiError {}
export class ConflictError extends ApiError {}
/** A rule refuses it, or its key was used for another request (422). */
export class RuleError extends ApiError {}
export class RateLimitError extends ApiError {}
/** A fault of the server or of what is between (5xx). */
export class ServerError extends ApiError {}

// Names stand beside the classes, because a bundler may shorten those.
const kinds: Readonly<Record<number, readonly [name: string, kind: typeof ApiError]>> = {
  400: ["BadRequestError", BadRequestError],
  401: ["AuthenticationError", AuthenticationError],
  403: ["PermissionError", PermissionError],
  404: ["NotFoundError", NotFoundError],
  409: ["ConflictError", ConflictError],
  422: ["RuleError", RuleError],
  429: ["RateLimitError", RateLimitError],
  500: ["ServerError", ServerError],
};

export function apiError(status: number, refusal: Refusal, sent: Sent, retryAfterS?: number): ApiError {
  const { message, code, errors = [], figures = {} } = refusal;
  const [name, Kind] = kinds[Math.min(status, 500)] ?? ["ApiError", ApiError];
  const text = `${sent.operation}: ${message} (${status} ${code}, interaction ${sent.interactionId})`;
  return Object.assign(new Kind(text), { name, status, code, errors, figures, sent, retryAfterS });
}
