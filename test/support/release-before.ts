import { readFileSync } from "node:fs";
import { createFileRegistry, fromBinary, toBinary, type DescMessage } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type DescriptorProto } from "@bufbuild/protobuf/wkt";
import type { GrpcDefinition, RpcDefinition } from "../../services/shared/grpc/definition.js";

const descriptors = new URL("../../proto/gen/descriptor.binpb", import.meta.url);

/**
 * A service whose requests are written and read as by a release that did not know some fields:
 * `unknown` has their numbers by the name of their message, such as compliance.v1.Money.
 */
export function asReleaseBefore<Def extends GrpcDefinition>(
  definition: Def,
  requests: Partial<Record<keyof Def["methods"], string>>,
  unknown: Readonly<Record<string, readonly number[]>>,
): Def {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(descriptors));
  for (const file of set.file) {
    for (const message of file.messageType) forget(message, unknown[`${file.package}.${message.name}`] ?? []);
  }
  const registry = createFileRegistry(set);
  const methods = Object.fromEntries(
    Object.entries(definition.methods).map(([rpc, method]) => {
      const name = requests[rpc as keyof Def["methods"]];
      const schema = name === undefined ? undefined : registry.getMessage(name);
      return [rpc, schema === undefined ? method : knowingOnly(method, schema)];
    }),
  );
  return { ...definition, methods };
}

function forget(message: DescriptorProto, numbers: readonly number[]): void {
  const before = message.field.length;
  message.field = message.field.filter(({ number }) => !numbers.includes(number));
  if (message.field.length !== before - numbers.length) throw new Error(`${message.name} has not all of these fields`);
}

function knowingOnly(method: RpcDefinition, schema: DescMessage): RpcDefinition {
  const known = (bytes: Uint8Array) =>
    toBinary(schema, fromBinary(schema, bytes, { readUnknownFields: false }), { writeUnknownFields: false });
  const { requestType } = method;
  return {
    ...method,
    requestType: {
      ...requestType,
      encode: (message) => ({ finish: () => known(requestType.encode(message).finish()) }),
      decode: (bytes) => requestType.decode(known(bytes)),
    },
  };
}
