// An operation that is one rpc: its request is made of path, query, body and key, and its answer of
// the response, as gateway/codec.ts derives them.
import { z } from "zod";
import { outgoing } from "../services/kernel/grpc/client.js";
import type {
  GrpcDefinition,
  MessageType,
  RequestOf,
  ResponseOf,
  RpcName,
  WirePartial,
} from "../services/kernel/grpc/definition.js";
import { definitions } from "./clients.js";
import { codecOf, filled, formOf, messageOf, shapeCodec } from "./codec.js";
import type { FieldsOf, Naming, Whole } from "../services/platform/events/shapes/field-types.js";
import type { Codec } from "../services/platform/events/shapes/leaf-codecs.js";
import { protoOf, type Proto } from "../services/platform/events/shapes/message-fields.js";
import type { RequestHeaders } from "./headers.js";
import {
  route,
  type Declared,
  type Described,
  type EdgeCall,
  type Permission,
  type RunContext,
  keyOf,
  replaying,
} from "./route.js";

type Definitions = typeof definitions;
type Service = keyof Definitions;
type Rpc = { [S in Service]: `${S}.${RpcName<Definitions[S]>}` }[Service];
type RequestMessage<R> = R extends `${infer S extends Service}.${infer M}`
  ? M extends RpcName<Definitions[S]>
    ? RequestOf<Definitions[S], M>
    : never
  : never;
type ResponseMessage<R> = R extends `${infer S extends Service}.${infer M}`
  ? M extends RpcName<Definitions[S]>
    ? ResponseOf<Definitions[S], M>
    : never
  : never;

type Members<S> = S extends z.ZodObject ? z.output<S> : object;
/** Path and query are text, which becomes what the message has; `size` is its pageSize. */
type TextMembers<S> = S extends z.ZodObject ? { [K in keyof z.output<S>]: never } : object;
type Sent<Params, Query, Body, Sends> = TextMembers<Params> &
  TextMembers<Query> &
  (Sends extends string ? object : Members<Body>);

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

interface AskingItself<Params, Query, Body, Request> {
  /** Makes the request where it is more than members under other names; may refuse it. */
  asks: (given: {
    params: Output<Params>;
    query: Output<Query>;
    body: Output<Body>;
    call: EdgeCall;
  }) => WirePartial<Request>;
}

interface OfOneRpc<R, Body, Answer extends z.ZodType, Sends, Gives, Request> {
  /** The service and its rpc. */
  rpc: R;
  /** The field of the request that the body is; its members are the request's where absent. */
  sends?: Sends;
  /**
   * The field of the response that is answered; where absent its only one, of which the answer is
   * the shape, or else its members are the answer's.
   */
  gives?: Gives;
  /** Refuses what no schema can: members of the body that do not go together. */
  asserts?: (body: Members<Body>) => void;
  /** What the edge says beside what the caller does. */
  adds?: (call: EdgeCall, headers: RequestHeaders) => WirePartial<Request>;
  /** Whether an answer to what was asked is 202: its outcome waits for somebody. */
  isWaiting?: (answer: z.output<Answer>, asked: WirePartial<Request>, response: ResponseMessage<R>) => boolean;
}

type Item<T> = Exclude<T, undefined> extends readonly (infer One)[] ? One : Exclude<T, undefined>;
type ItemOf<Answer> = Answer extends z.ZodArray<infer One> ? One : Answer;
type Only<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? Name : never) : never;

type AnswerNaming<Answer extends z.ZodType, Response, Gives> = Gives extends string
  ? unknown
  : Answer extends Whole<Response>
    ? unknown
    : ItemOf<Answer> extends Whole<Item<Response[Only<keyof Response>]>>
      ? unknown
      : Naming<z.output<Answer>, Response> extends { fields: infer F }
        ? { answerFields: F }
        : { answerFields?: FieldsOf<z.output<Answer>, Response> };

/**
 * Declares an operation that is one rpc, by its service and name. Throws at
 * start where a member has no field.
 */
export function operation<
  R extends Rpc,
  Answer extends z.ZodType,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
  Sends extends (keyof RequestMessage<R> & string) | undefined = undefined,
  Gives extends (keyof ResponseMessage<R> & string) | undefined = undefined,
>(
  declaration: Described<Params, Query, Body, Answer> &
    Permission &
    OfOneRpc<R, Body, Answer, Sends, Gives, RequestMessage<R>> &
    (
      AskingItself<Params, Query, Body, RequestMessage<R>> | Naming<Sent<Params, Query, Body, Sends>, RequestMessage<R>>
    ) &
    AnswerNaming<Answer, ResponseMessage<R>, Gives>,
): Declared {
  const wired = wireOf(declaration as unknown as AnyOperation);
  return { ...route({ ...declaration, run: runOf(declaration as unknown as AnyOperation, wired) } as never), wired };
}

/** How an operation that is one rpc goes to its messages and comes from them. */
export interface Wired {
  /** The service and its rpc. */
  rpc: string;
  request: MessageType<Json>;
  response: MessageType<Json>;
  /** Of path, query and body; none where the operation makes its request by itself. */
  requestCodec: Codec | undefined;
  answerCodec: Codec;
}

interface AnyOperation extends Pick<Declared, "params" | "query" | "body" | "answer"> {
  rpc: string;
  sends?: string;
  gives?: string;
  fields?: Record<string, never>;
  answerFields?: Record<string, never>;
  asserts?: (body: Json) => void;
  adds?: (call: EdgeCall, headers: RequestHeaders) => Json;
  isWaiting?: (answer: unknown, asked: Json, response: unknown) => boolean;
  asks?: (given: Pick<RunContext<unknown, unknown, unknown>, "params" | "query" | "body" | "call">) => Json;
}

type Json = Record<string, unknown>;

function wireOf(declaration: AnyOperation): Wired {
  const [service, method] = declaration.rpc.split(".") as [Service, string];
  const { requestType: request, responseType: response } = (definitions[service] as GrpcDefinition).methods[method]!;
  return {
    rpc: declaration.rpc,
    request,
    response,
    requestCodec: declaration.asks ? undefined : requestCodecOf(declaration, protoOf(request)),
    answerCodec: answerCodecOf(declaration, response),
  };
}

function runOf({ rpc, asserts, adds, asks, isWaiting }: AnyOperation, { request, requestCodec, answerCodec }: Wired) {
  const [service, method] = rpc.split(".") as [Service, string];
  const isKeyed = "idempotencyKey" in (request.fromPartial({} as never) as Json);
  return async ({ params, query, body, call, clients, headers }: RunContext<Json, Json, Json>): Promise<unknown> => {
    asserts?.(body);
    const sent = {
      ...(asks?.({ params, query, body, call }) ?? requestCodec?.toWire({ ...params, ...query, ...body })),
      ...adds?.(call, headers),
      ...(isKeyed && keyOf(headers)),
    };
    const client = clients[service] as unknown as Record<string, (sent: Json, options: unknown) => Promise<Json>>;
    const response = await client[method]!(sent, isKeyed ? replaying(call) : outgoing(call));
    const answer: unknown = answerCodec.fromWire(response);
    if (isWaiting?.(answer, sent, response)) call.markWaiting();
    return answer;
  };
}

function requestCodecOf({ rpc, params, query, body, sends, fields }: AnyOperation, proto: Proto): Codec {
  const names = [params, query, body].flatMap((one) => (one ? Object.keys(one.shape) : []));
  if (new Set(names).size < names.length) throw new Error(`${rpc}: two members have one name`);
  const flat = [params, query, ...(sends === undefined ? [body] : [])].flatMap((one) => (one ? [one.shape] : []));
  const members = Object.assign({}, ...flat) as z.ZodRawShape;
  const codec = codecOf(members, proto, {
    ...("pageSize" in proto.of({}) && { size: "pageSize" }),
    ...fields,
  } as never);
  if (sends === undefined) return codec;
  const whole = shaped(body!, rpc);
  return {
    toWire: (json) => {
      const sent = codec.toWire(json) as Json;
      return { ...sent, [sends]: { ...(sent[sends] as Json | undefined), ...(whole.toWire(json) as Json) } };
    },
    fromWire: (wire) => ({ ...codec.fromWire(wire), ...whole.fromWire(wire[sends]) }),
  };
}

function answerCodecOf({ rpc, answer, gives, answerFields = {} }: AnyOperation, response: MessageType<Json>): Codec {
  const field = gives ?? onlyFieldOf(response, answer);
  if (field !== undefined) {
    const given = shaped(answer, rpc);
    return {
      toWire: (json) => ({ [field]: given.toWire(json) }),
      fromWire: (wire) => given.fromWire(filled(wire[field], field)),
    };
  }
  const codec = shapeCodec(answer);
  if (codec !== undefined) return codec;
  if (!(answer instanceof z.ZodObject)) throw new Error(`${rpc}: its answer is no object`);
  return codecOf(answer.shape, protoOf(response), answerFields);
}

/** The one field of a response that is a message or a list of them, not the response itself. */
function onlyFieldOf(response: MessageType<Json>, answer: z.ZodType): string | undefined {
  const [field, ...others] = Object.keys(response.fromPartial({} as never));
  const message = messageOf(itemOf(answer));
  return others.length === 0 && message !== undefined && message !== response ? field : undefined;
}

const itemOf = (schema: z.ZodType) => (schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema);

/** What is a whole message, or a list of them, is a shape of it. */
function shaped(schema: z.ZodType, rpc: string): Codec {
  if (messageOf(itemOf(schema)) === undefined) throw new Error(`${rpc}: no shape says which message it is`);
  return formOf(schema).form as Codec;
}
