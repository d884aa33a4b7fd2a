import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { CallContext, Server } from "nice-grpc";
import type { ServerReflection } from "nice-grpc-server-reflection";

/**
 * Adds gRPC reflection (v1) for the named services, read from the .proto files of the working directory. They are
 * parsed when somebody asks for the first time, so that a process that is never asked pays nothing.
 */
export async function addReflection(
  server: Server,
  serviceNames: readonly string[],
  protoFolder = "proto",
): Promise<void> {
  // Loaded on demand: production does without it.
  const { ServerReflection: implement, ServerReflectionService } = await import("nice-grpc-server-reflection");
  type Implementation = ReturnType<typeof ServerReflection>;
  type Requests = Parameters<Implementation["serverReflectionInfo"]>[0];

  let implementation: Promise<Implementation> | undefined;
  server.add(ServerReflectionService, {
    async *serverReflectionInfo(requests: Requests, context: CallContext) {
      implementation ??= descriptorSet(resolve(protoFolder)).then((bytes) => implement(bytes, serviceNames));
      yield* (await implementation).serverReflectionInfo(requests, context);
    },
  });
}

/** A serialised google.protobuf.FileDescriptorSet of every .proto file below the folder and all it imports. */
export async function descriptorSet(folder: string): Promise<Uint8Array> {
  const { load } = await import("@grpc/proto-loader");
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".proto"));
  const definitions = await load(
    files.map((file) => join(folder, file)),
    { includeDirs: [folder] },
  );
  const descriptors = new Map<string, Buffer>();
  for (const definition of Object.values(definitions)) {
    const { fileDescriptorProtos } = definition as { fileDescriptorProtos?: Buffer[] };
    for (const bytes of fileDescriptorProtos ?? []) descriptors.set(bytes.toString("base64"), bytes);
  }
  return Buffer.concat([...descriptors.values()].flatMap((bytes) => [lengthPrefix(bytes.length), bytes]));
}

// Field 1 (file), wire type 2 (length-delimited), then the length as a varint.
function lengthPrefix(length: number): Buffer {
  const bytes = [0x0a];
  let rest = length;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
