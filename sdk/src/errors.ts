import type { Code } from "./generated/codes.js";

/** What was sent may have taken effect: how to ask again, and how to find it. */
export interface Sent {
  /** Of the operation, such as "transactions.create". */
  operation: string;
  /** Calling again with it does nothing twice. */
  idempotencyKey?: string;
  interactionId: string;
  attempts: number;
}

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

/** A webhook's signature, headers or time are not as they must be. */
export class WebhookError extends ManillaError {
  override name = "WebhookError";
}

/** No answer came: what was asked may have been done, or not. */
export class ConnectionError extends ManillaError {
  override name = "ConnectionError";

  readonly sent: Sent;

  constructor(message: string, sent: Sent) {
    super(message);
    this.sent = sent;
  }
}

/** The call's own deadline passed: what was asked may have been done, or not. */
export class DeadlineError extends ConnectionError {
  override name = "DeadlineError";
}

/** What a refusal says. */
export interface Refusal {
  message: string;
  /** A code of a newer server may be none of these. */
  code: Code | (string & {});
  /** What is wrong with which member of the request. */
  errors?: readonly { path: string; message: string }[];
  /** Figures that explain it, amounts as decimal text. */
  figures?: Readonly<Record<string, string>>;
}

/** The answer is a refusal or a fault. The subclass tells its status; `code` says more. */
export class ApiError extends ManillaError {
  override name = "ApiError";
  readonly status: number;
  readonly code: Refusal["code"];
  readonly errors: NonNullable<Refusal["errors"]>;
  readonly figures: NonNullable<Refusal["figures"]>;
  readonly sent: Sent;
  readonly retryAfterS: number | undefined;

  constructor(status: number, { message, code, errors = [], figures = {} }: Refusal, sent: Sent, retryAfterS?: number) {
    super(`${sent.operation}: ${message} (${status} ${code}, interaction ${sent.interactionId})`);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.figures = figures;
    this.sent = sent;
    this.retryAfterS = retryAfterS;
  }
}

export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}
export class PermissionError extends ApiError {
  override name = "PermissionError";
}
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
export class ConflictError extends ApiError {
  override name = "ConflictError";
}
/** A rule refuses it, or its key was used for another request (422). */
export class RuleError extends ApiError {
  override name = "RuleError";
}
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}
/** A fault of the server or of what is between (5xx). */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: RuleError,
  429: RateLimitError,
};

export function apiError(status: number, refusal: Refusal, sent: Sent, retryAfterS?: number): ApiError {
  return new (classes[status] ?? (status >= 500 ? ServerError : ApiError))(status, refusal, sent, retryAfterS);
}
