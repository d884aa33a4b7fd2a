import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ServerError, Status, type CallContext, type Server } from "nice-grpc";
import { asIs } from "./definition.js";

const builtDescriptors = "proto/gen/descriptor.binpb";

// grpc.reflection.v1, its messages left as bytes: what reads them takes 15 MB, and most processes
// are never asked.
const reflectionDefinition = {
  serverReflectionInfo: {
    path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    requestStream: true,
    responseStream: true,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
    options: {},
  },
} as const;

/**
 * Adds gRPC reflection (v1) for the named services. What it tells is read from the descriptor set
 * that `npm run gen` leaves in the working directory, when somebody asks for the first time.
 */
export function addReflection(
  server: Server,
  serviceNames: readonly string[],
  descriptorFile: string = builtDescriptors,
): void {
  let loading: ReturnType<typeof loadReflection> | undefined;
  server.add(reflectionDefinition, {
    async *serverReflectionInfo(requests: AsyncIterable<Uint8Array>, context: CallContext) {
      loading ??= loadReflection(serviceNames, descriptorFile);
      loading.catch(() => (loading = undefined));
      const { decode, encode, answer } = await loading;
      for await (const response of answer(decode(requests), context)) yield encode(response);
    },
  });
}

async function loadReflection(serviceNames: readonly string[], descriptorFile: string) {
  const descriptors = await readDescriptors(descriptorFile);
  const { ServerReflection, ServerReflectionService } = await import("nice-grpc-server-reflection");
  const { requestDeserialize, responseSerialize } = ServerReflectionService.serverReflectionInfo;
  const { serverReflectionInfo: answer } = ServerReflection(descriptors, serviceNames);
  async function* decode(requests: AsyncIterable<Uint8Array>) {
    for await (const bytes of requests) yield requestDeserialize(Buffer.from(bytes));
  }
  return { answer, decode, encode: responseSerialize };
}

async function readDescriptors(file: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(file));
  } catch {
    throw new ServerError(Status.FAILED_PRECONDITION, `${file} is missing: npm run gen makes it`);
  }
}
