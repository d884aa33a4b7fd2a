import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ServerError, Status, type CallContext, type Server } from "nice-grpc";
import type { ServerReflection } from "nice-grpc-server-reflection";

const builtDescriptors = "proto/gen/descriptor.binpb";

/**
 * Adds gRPC reflection (v1) for the named services. What it tells is read from the descriptor set that `npm run gen`
 * leaves in the working directory, when somebody asks for the first time: a process that is never asked pays nothing.
 */
export async function addReflection(
  server: Server,
  serviceNames: readonly string[],
  descriptorFile: string = builtDescriptors,
): Promise<void> {
  // Loaded on demand: production does without it.
  const { ServerReflection: implement, ServerReflectionService } = await import("nice-grpc-server-reflection");
  type Implementation = ReturnType<typeof ServerReflection>;
  type Requests = Parameters<Implementation["serverReflectionInfo"]>[0];

  let implementation: Implementation | undefined;
  server.add(ServerReflectionService, {
    async *serverReflectionInfo(requests: Requests, context: CallContext) {
      implementation ??= implement(await readDescriptors(descriptorFile), serviceNames);
      yield* implementation.serverReflectionInfo(requests, context);
    },
  });
}

async function readDescriptors(file: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(file));
  } catch {
    throw new ServerError(Status.FAILED_PRECONDITION, `${file} is missing: npm run gen makes it`);
  }
}
