import { Status } from "nice-grpc-common";

interface RefusalRow {
  readonly grpc: Status;
  readonly http: number;
}

const unauthenticated = { grpc: Status.UNAUTHENTICATED, http: 401 } as const;
const forbidden = { grpc: Status.PERMISSION_DENIED, http: 403 } as const;
const badInput = { grpc: Status.INVALID_ARGUMENT, http: 400 } as const;
const notFound = { grpc: Status.NOT_FOUND, http: 404 } as const;
const conflict = { grpc: Status.ABORTED, http: 409 } as const;
const ruleRefuses = { grpc: Status.FAILED_PRECONDITION, http: 422 } as const;

/** The one table: code → gRPC status between services → HTTP status at the gateway. */
export const refusalTable = {
  UNAUTHENTICATED: unauthenticated,
  TOKEN_EXPIRED: unauthenticated,
  TOKEN_REVOKED: unauthenticated,
  TOKEN_CONFLICT: unauthenticated,
  REFRESH_REUSED: unauthenticated,
  LOGIN_FAILED: unauthenticated,

  FORBIDDEN: forbidden,
  CALLER_NOT_ALLOWED: forbidden,
  NOT_ACCOUNT_OWNER: forbidden,
  PAYER_NOT_SENDER: forbidden,
  PASSWORD_WRONG: forbidden,
  PASSWORD_REQUIRED: forbidden,
  PASSWORD_CHANGE_REQUIRED: forbidden,
  OTP_REQUIRED: forbidden,
  OTP_WRONG: forbidden,
  PIN_REQUIRED: forbidden,
  PIN_WRONG: forbidden,
  PIN_LOCKED: forbidden,
  UNAUTHORIZED: forbidden,
  AGENT_SUSPENDED: forbidden,
  PICKUP_CODE_WRONG: forbidden,
  PICKUP_CODE_LOCKED: forbidden,
  DOCUMENT_MISMATCH: forbidden,

  INVALID_INPUT: badInput,
  HEADER_REQUIRED: badInput,
  HEADER_INVALID: badInput,
  TOO_MANY_TRANSFERS: badInput,
  BODY_TOO_LARGE: { grpc: Status.INVALID_ARGUMENT, http: 413 },
  MEDIA_TYPE: { grpc: Status.INVALID_ARGUMENT, http: 415 },
  METHOD_NOT_ALLOWED: { grpc: Status.INVALID_ARGUMENT, http: 405 },
  REQUEST_TIMEOUT: { grpc: Status.INVALID_ARGUMENT, http: 408 },
  URI_TOO_LONG: { grpc: Status.INVALID_ARGUMENT, http: 414 },
  HEADERS_TOO_LARGE: { grpc: Status.INVALID_ARGUMENT, http: 431 },

  NOT_FOUND: notFound,
  TENANT_NOT_FOUND: notFound,
  CUSTOMER_NOT_FOUND: notFound,
  BENEFICIARY_NOT_FOUND: notFound,
  TRANSACTION_NOT_FOUND: notFound,
  ACCOUNT_NOT_FOUND: notFound,
  CORRIDOR_NOT_FOUND: notFound,
  PAYABLE_NOT_FOUND: notFound,
  TRANSFER_NOT_FOUND: notFound,
  QUOTE_NOT_FOUND: notFound,
  LOAN_NOT_FOUND: notFound,
  LOAN_PRODUCT_NOT_FOUND: notFound,
  SERVICE_NOT_INSTALLED: notFound,

  ALREADY_EXISTS: { grpc: Status.ALREADY_EXISTS, http: 409 },
  IDEMPOTENCY_IN_FLIGHT: conflict,
  TRANSACTION_NOT_PAYABLE: conflict,
  TRANSACTION_EXPIRED: conflict,
  PAYABLE_ALREADY_PAID: conflict,
  STATE_CONFLICT: conflict,
  APPROVAL_CHANGED: conflict,
  QUOTE_EXPIRED: conflict,
  QUOTE_USED: conflict,
  ACCOUNT_NOT_EMPTY: conflict,
  PAYABLE_NOT_OPEN: conflict,
  PAYABLE_EXPIRED: conflict,
  TILL_NOT_OPEN: conflict,
  QUOTE_NOT_OPEN: conflict,
  HOLD_NOT_OPEN: conflict,
  LEASE_LOST: conflict,
  LOAN_CLOSED: conflict,
  HOLDING_CLOSED: conflict,
  SECRET_ROTATION_UNDER_WAY: conflict,
  EVENT_ERASED: conflict,
  PLUGIN_NOT_READY: conflict,
  PLUGIN_ROUTE_NEEDED: conflict,
  PROFILE_EXISTS: conflict,
  PAYEE_NAME_DIFFERS: conflict,
  POSSIBLE_DUPLICATE: conflict,
  PAYEE_CHECK_EXPIRED: conflict,
  SETTLEMENT_REFERENCE_TAKEN: conflict,
  LINE_TAKEN: conflict,
  ALREADY_REVERSED: conflict,
  PERIOD_BLOCKED: conflict,

  IDEMPOTENCY_KEY_REUSED: ruleRefuses,
  PAYMENT_REFERENCE_REUSED: ruleRefuses,
  INSUFFICIENT_FUNDS: ruleRefuses,
  ACCOUNT_CLOSED: ruleRefuses,
  ACCOUNT_FROZEN: ruleRefuses,
  CURRENCY_MISMATCH: ruleRefuses,
  ACCOUNT_NUMBER_MISMATCH: ruleRefuses,
  AMOUNT_NOT_POSITIVE: ruleRefuses,
  AMOUNT_TOO_LARGE: ruleRefuses,
  AMOUNT_ABOVE_CEILING: ruleRefuses,
  AMOUNT_MISMATCH: ruleRefuses,
  TILL_SHORT: ruleRefuses,
  AGENT_LIMIT: ruleRefuses,
  RECEIVED_TOO_LITTLE: ruleRefuses,
  DIFFERENCE_UNEXPLAINED: ruleRefuses,
  AMOUNT_OUT_OF_LIMITS: ruleRefuses,
  SAME_ACCOUNT: ruleRefuses,
  KEY_REUSED: ruleRefuses,
  PENDING_NOT_FOUND: ruleRefuses,
  PENDING_ALREADY_RESOLVED: ruleRefuses,
  PENDING_EXPIRED: ruleRefuses,
  PENDING_AMOUNT_EXCEEDED: ruleRefuses,
  PERIOD_CLOSED: ruleRefuses,
  UNBALANCED: ruleRefuses,
  ACCOUNT_NOT_FOR_JOURNALS: ruleRefuses,
  TRANSFER_NOT_REVERSIBLE: ruleRefuses,
  TRANSFER_ALREADY_REVERSED: ruleRefuses,
  CREDIT_PARTY_INVALID: ruleRefuses,
  PAYEE_NOT_MATCHED: ruleRefuses,
  PAYEE_CHECK_MISMATCH: ruleRefuses,
  PROMO_CODE_INVALID: ruleRefuses,
  QUOTE_MISMATCH: ruleRefuses,
  MARKUP_ABOVE_LIMIT: ruleRefuses,
  REFUND_ABOVE_PAID: ruleRefuses,
  CORRIDOR_DISABLED: ruleRefuses,
  RATE_NOT_AVAILABLE: ruleRefuses,
  COMPLIANCE_REJECTED: ruleRefuses,
  CUSTOMER_NOT_CONFIRMED: ruleRefuses,
  DAILY_LIMIT_EXCEEDED: ruleRefuses,
  TRANSPARENCY_INCOMPLETE: ruleRefuses,
  PAYABLE_TYPE_NOT_AVAILABLE: ruleRefuses,
  TEXT_TOO_LONG_FOR_PARTNER: ruleRefuses,
  VERIFICATION_FAILED: ruleRefuses,
  CARD_REFUSED: ruleRefuses,
  REFUND_EXCEEDS_PAYMENT: ruleRefuses,
  REFUND_LIMIT_REACHED: ruleRefuses,
  DOCUMENT_INVALID: ruleRefuses,
  MISSING_LOAN_APPLICATION: ruleRefuses,
  MANUAL_REPAYMENT_NOT_ALLOWED: ruleRefuses,
  INVALID_AMOUNT: ruleRefuses,
  BANK_ACCOUNT_MISMATCH: ruleRefuses,
  PAYMENT_DATE_IN_FUTURE: ruleRefuses,
  PAYMENT_DATE_BEFORE_LOAN: ruleRefuses,
  PRODUCT_CLOSED: ruleRefuses,
  UNITS_SOLD_OUT: ruleRefuses,
  UNITS_OUT_OF_LIMITS: ruleRefuses,
  HOLDING_LOCKED: ruleRefuses,
  CUSTOMER_NAME_MISMATCH: ruleRefuses,
  AMENDMENT_LIMIT_REACHED: ruleRefuses,
  WEBHOOK_LIMIT_REACHED: ruleRefuses,
  PLUGIN_LIMIT_REACHED: ruleRefuses,
  UPLOAD_LIMIT_REACHED: ruleRefuses,
  EXPORT_TOO_LARGE: ruleRefuses,
  ACCOUNT_NOT_FOR_SETTLEMENT: ruleRefuses,
  COST_MISMATCH: ruleRefuses,
  ABOVE_OWED: ruleRefuses,
  LINES_MISMATCH: ruleRefuses,
  CHART_MAPPING_INCOMPLETE: ruleRefuses,

  RATE_LIMITED: { grpc: Status.RESOURCE_EXHAUSTED, http: 429 },
  OVERLOADED: { grpc: Status.RESOURCE_EXHAUSTED, http: 503 },
  STORAGE_FULL: { grpc: Status.RESOURCE_EXHAUSTED, http: 503 },
  UNAVAILABLE: { grpc: Status.UNAVAILABLE, http: 503 },
  DEADLINE_EXCEEDED: { grpc: Status.DEADLINE_EXCEEDED, http: 504 },
  INTERNAL: { grpc: Status.INTERNAL, http: 500 },
} as const satisfies Record<string, RefusalRow>;

export type RefusalCode = keyof typeof refusalTable;

export interface RefusalDetails {
  /**
   * Faults of the input, one per path, such as `{ path:
   * "internationalTransferInformation.originCountry" }`.
   */
  errors?: { path: string; message: string }[];
  /** Figures that explain the refusal, as decimal text. */
  figures?: Record<string, string>;
  /** The figures name somebody: where it is kept as an answer, it is kept encrypted. */
  isPersonal?: true;
  /** When to try again, in seconds. */
  retryAfterS?: number;
}

/** What a caller caused, with a stable code. Everything else that is thrown is a bug. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly details?: RefusalDetails;

  constructor(code: RefusalCode, message: string, details?: RefusalDetails) {
    super(message);
    this.code = code;
    if (details !== undefined) this.details = details;
  }
}

/** True for text that is a code of the table, such as one that came over the wire. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(refusalTable, text);
}

// These speak of the moment, not of the request: the same key must be able to succeed later.
const momentary: ReadonlySet<RefusalCode> = new Set([
  "IDEMPOTENCY_IN_FLIGHT",
  "IDEMPOTENCY_KEY_REUSED",
  "LEASE_LOST",
  "PERIOD_CLOSED",
  "PERIOD_BLOCKED",
] as const);

/** What is kept of a refusal that something ended with. */
export interface StoredRefusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: RefusalDetails;
}

export function storedRefusal({ code, message, details }: Refusal): StoredRefusal {
  return { code, message, ...(details === undefined ? {} : { details }) };
}

/**
 * True for 409 and 422: they speak of the state that was found, and neither of the input nor of the
 * caller.
 */
export function isAboutState(code: RefusalCode): boolean {
  const { http } = refusalTable[code];
  return http === 409 || http === 422;
}

/**
 * True when an idempotency record keeps this refusal as the operation's answer: 409 and 422 that
 * depend on state. What says when to try again passes by itself and is not kept: the same key must
 * be able to succeed then.
 */
export function isStoredAnswer({ code, details }: StoredRefusal): boolean {
  return isAboutState(code) && !momentary.has(code) && details?.retryAfterS === undefined;
}

/**
 * A refusal that passes by itself, such as while a payment is under way: never kept under an
 * idempotency key.
 */
export function passing(code: RefusalCode, message: string, retryAfterS = 1): Refusal {
  return new Refusal(code, message, { retryAfterS });
}

/** Bad input at one path. */
export function invalidInput(path: string, message: string): Refusal {
  return new Refusal("INVALID_INPUT", `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Nobody could answer: whatever was asked, everybody who asked is in the same place. */
export function isAwayOrLate(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED");
}
