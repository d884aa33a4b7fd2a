import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { ServiceDefinition } from "nice-grpc";

/** What ts-proto generates for a message. */
export interface MessageType<M> {
  encode(message: M, writer?: BinaryWriter): { finish(): Uint8Array };
  decode(input: Uint8Array): M;
  // Its own DeepPartial would let a `number` or text stand for an int64, so callers see WirePartial
  // instead.
  fromPartial(object: never): M;
}

export interface RpcDefinition {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- every message type must fit here
  readonly requestType: MessageType<any>;
  readonly requestStream: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly responseType: MessageType<any>;
  readonly responseStream: boolean;
  readonly options: { readonly idempotencyLevel?: "IDEMPOTENT" | "NO_SIDE_EFFECTS" };
}

/** A service definition as ts-proto generates it (`outputServices=generic-definitions`). */
export interface GrpcDefinition {
  readonly name: string;
  readonly fullName: string;
  readonly methods: Readonly<Record<string, RpcDefinition>>;
}

type Leaf = bigint | Date | Uint8Array | string | number | boolean | undefined | null;

/** A message with any field left out. int64 fields are bigint and nothing else. */
export type WirePartial<T> = 0 extends 1 & T
  ? T
  : T extends Leaf
    ? T
    : T extends readonly (infer Item)[]
      ? readonly WirePartial<Item>[]
      : { [Field in keyof T]?: WirePartial<T[Field]> | undefined };

export type RpcName<Def extends GrpcDefinition> = keyof Def["methods"] & string;
type MessageOf<Type> = Type extends { decode(input: Uint8Array): infer M } ? M : never;
export type RequestOf<Def extends GrpcDefinition, Rpc extends RpcName<Def>> = MessageOf<
  Def["methods"][Rpc]["requestType"]
>;
export type ResponseOf<Def extends GrpcDefinition, Rpc extends RpcName<Def>> = MessageOf<
  Def["methods"][Rpc]["responseType"]
>;

// Its memory is used again: new memory for a message of 300 bytes
// costs twice what encoding it does.
let writer = new BinaryWriter();
const maxCachedBytes = 256 * 1024;

/** Wire bytes of a message; throws where an int64 field is out of range rather than wrapping it. */
export function encodeMessage<M>(type: MessageType<M>, message: WirePartial<M>): Uint8Array {
  return encodeWhole(type, type.fromPartial(message as never));
}

/** As encodeMessage, of a message that has all of its fields. */
export function encodeWhole<M>(type: MessageType<M>, message: M): Uint8Array {
  let bytes: Uint8Array | undefined;
  try {
    return (bytes = type.encode(message, writer).finish());
  } finally {
    if (bytes === undefined || bytes.length > maxCachedBytes) writer = new BinaryWriter();
  }
}

export const asIs = (bytes: Uint8Array): Uint8Array => bytes;

/**
 * The definition with its messages left as bytes. Encoding and decoding happen in our own code,
 * where a failure is a Refusal or a logged bug; inside grpc-js it would be an answer nobody logs,
 * and decoding would come before authentication.
 */
export function bytesDefinition(definition: GrpcDefinition): ServiceDefinition {
  const rpcs: ServiceDefinition = {};
  for (const [rpc, method] of Object.entries(definition.methods)) {
    if (method.requestStream || method.responseStream) {
      throw new Error(`${definition.fullName}/${method.name}: only unary rpcs are served; page instead of streaming`);
    }
    rpcs[rpc] = {
      path: `/${definition.fullName}/${method.name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
      options: method.options,
    };
  }
  return rpcs;
}
