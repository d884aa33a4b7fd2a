import type { z } from "zod";
import type { Role, UserPrincipal } from "../services/kernel/grpc/context.js";
import type { Logger } from "../services/kernel/process/log.js";
import type { Clients } from "./clients.js";
import type { FileAnswer, LiveAnswer } from "./file-answer.js";
import { headersSchema, type HeaderRules, type RequestHeaders } from "./headers.js";
import type { OperationFlags } from "../sdk/gen/document.js";
import type { Wired } from "./operation.js";
import type { Tag } from "./openapi-tags.js";
import type { PeopleOnlyReason } from "./scopes.js";
import { outgoing } from "../services/kernel/grpc/client.js";

/** What the edge knows of a request; goes on to services with `outgoing(call)`. */
export interface EdgeCall {
  readonly tenantId: string;
  readonly interactionId: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly deadline: Date;
  readonly user?: UserPrincipal;
  readonly userToken?: string;
  /**
   * For an answer that goes on for longer than the token may live;
   * absent where there is no other one.
   */
  readonly renewToken?: () => Promise<string>;
  /** The client's address: the socket's, or what our own proxies say. */
  readonly clientIp: string;
  readonly log: Logger;
  /** Pass as `onReplayed`: the answer then says Idempotency-Replayed. */
  readonly markReplayed: () => void;
  /** The answer is 202: its outcome waits for somebody. */
  readonly markWaiting: () => void;
}

export interface RunContext<Params, Query, Body> {
  params: Params;
  query: Query;
  headers: RequestHeaders;
  body: Body;
  call: EdgeCall;
  clients: Clients;
}

/**
 * A request that works against the tenants of deploy/seed/demo.yaml. It is shown in the
 * documentation and sent by a test.
 */
export interface Example {
  /** E-mail address of the demo user who sends it; absent where no token is needed. */
  as?: string;
  /**
   * What it is answered in the demo where that is not 200, such as 404 where nothing is there to be
   * decided on.
   */
  answers?: number;
  /** Sent below /sandbox, by the sandbox's user of that address. */
  sandbox?: boolean;
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /**
   * Members that only a running system knows, such as { "body.accountId": "listWalletAccounts
   * data.0.accountId" }: they are what the answer to another operation's example holds there. The
   * documentation links the two operations.
   */
  from?: Readonly<Record<string, string>>;
  /**
   * What it is answered otherwise than the leaves of `answer` show; members that are undefined here
   * are left out.
   */
  answer?: unknown;
  /** The same of its 202. */
  waitingAnswer?: unknown;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * "anyone" asks for no token; "expired-token" takes a token that may have expired, hands it on
 * unchecked and asks for none. Whoever may call it by role needs one of the scopes where they come
 * by an API token, or the reason says why no token will do.
 */
export type Permission =
  | { access: "anyone" | "expired-token" }
  | {
      access: readonly Role[];
      scopes: readonly string[];
      /** Roles that can give away none of the scopes: they do it as people. */
      inPerson?: readonly Role[];
    }
  | { access: readonly Role[]; peopleOnly: PeopleOnlyReason };

export interface Described<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Answer extends z.ZodType,
> {
  method: "get" | "post" | "put" | "delete";
  /** With parameters as `:name`. */
  path: string;
  /** Other paths of the same operation. */
  aliases?: readonly string[];
  /**
   * One of the contract's 18: a query parameter that it does not know is ignored, unless it is a
   * near miss; every other operation refuses it.
   */
  contract?: true;
  tag: Tag;
  summary: string;
  /** What the client library's rules would say badly of it. */
  sdk?: OperationFlags;
  headers?: HeaderRules;
  params?: Params;
  query?: Query;
  body?: Body;
  /** True where an absent body counts as an empty object. */
  bodyOptional?: boolean;
  /** Schema of `data`, or of the whole answer where `bare`. Also the type of what `run` returns. */
  answer: Answer;
  /** Content types that `run` may answer with a FileAnswer, beside JSON or the one of `file`. */
  files?: readonly string[];
  /** The contract shows this answer without the envelope. */
  bare?: boolean;
  /**
   * Where it may answer 202, by `call.markWaiting`: `message` of that answer, true where it is the
   * same as of any other.
   */
  waits?: true | string;
  /** Content type where the answer is a file (FileAnswer) instead of JSON. */
  file?: string;
  /** `message` of the envelope. */
  message: string;
  /** Only below /sandbox; a live tenant has no such path. */
  sandboxOnly?: true;
  /**
   * Names of fields between services → names of the contract, for the paths of faults that a
   * service found.
   */
  renames?: Readonly<Record<string, string>>;
  /** A read that a rule or a state may refuse (409, 422); writes always may. */
  refusable?: true;
  example?: Example;
}

export interface Declaration<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Answer extends z.ZodType,
> extends Described<Params, Query, Body, Answer> {
  run: (
    context: RunContext<Output<Params>, Output<Query>, Output<Body>>,
  ) => Promise<z.output<Answer> | FileAnswer | LiveAnswer>;
}

/** A declaration with its types forgotten. */
export interface Declared extends Omit<
  Declaration<z.ZodObject | undefined, z.ZodObject | undefined, z.ZodObject | undefined, z.ZodType>,
  "run" | "headers"
> {
  access: readonly Role[] | "anyone" | "expired-token";
  scopes?: readonly string[];
  inPerson?: readonly Role[];
  peopleOnly?: PeopleOnlyReason;
  headers: z.ZodObject<z.ZodRawShape>;
  /** Of an operation that is one rpc. */
  wired?: Wired;
  /** A key is required or honoured; elsewhere it is checked and nothing else, so not offered. */
  isKeyed: boolean;
  run: (context: RunContext<unknown, unknown, unknown>) => Promise<unknown>;
}

/** Ready to be served and documented. */
export interface Route extends Declared {
  operationId: string;
}

/** What is declared, by the names that it has in code. */
export function named(declared: Readonly<Record<string, Declared>>): readonly Route[] {
  return Object.entries(declared).map(([operationId, one]) => ({ ...one, operationId }));
}

/** `message` of a route's 202, where that is one of its own. */
export function waitingMessage({ waits }: Pick<Route, "waits">): string | undefined {
  return typeof waits === "string" ? waits : undefined;
}

/** One declaration gives route, validation, permission, idempotency rules and documentation. */
export function route<
  Answer extends z.ZodType,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(declaration: Declaration<Params, Query, Body, Answer> & Permission): Declared {
  const rules = declaration.headers ?? {};
  const isKeyed = rules.idempotencyKey !== undefined;
  return { ...declaration, headers: headersSchema(rules), isKeyed } as unknown as Declared;
}

/**
 * Address family of security, compliance, transactions, payments, beneficiaries, ledger, branches
 * and admin.
 */
export const v6 = "/api/v6/services";

/** Address family of investments. */
export const v1User = "/api/v1/user";

export const everyRole: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
export const staffRoles: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];

/** The member of a request between services that carries the caller's key; empty without one. */
export function keyOf(headers: { "x-idempotency-key"?: string | undefined }): { idempotencyKey: string } {
  return { idempotencyKey: headers["x-idempotency-key"] ?? "" };
}

/**
 * Options of a call that may be answered from its key: a replay is marked in the answer's headers.
 */
export function replaying(call: EdgeCall) {
  return outgoing(call, { onReplayed: call.markReplayed });
}
