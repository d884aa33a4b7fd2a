import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileDescriptorProto } from "google-protobuf/google/protobuf/descriptor_pb.js";
import { createChannel, createClient, createServer } from "nice-grpc";
import { ServerReflectionService } from "nice-grpc-server-reflection";
import { ServerReflectionRequest } from "nice-grpc-server-reflection/lib/proto/grpc/reflection/v1/reflection_pb.js";
import { createProbeNetwork } from "../../../test/support/transport.js";
import { addReflection } from "./reflection.js";

const folder = mkdtempSync(join(tmpdir(), "manilla-reflection-"));
const descriptors = join(folder, "descriptor.binpb");
beforeAll(() => execFileSync("node_modules/.bin/buf", ["build", "-o", descriptors]));
afterAll(() => rmSync(folder, { recursive: true }));

async function ask(port: number, request: ServerReflectionRequest) {
  const channel = createChannel(`127.0.0.1:${port}`);
  const client = createClient(ServerReflectionService, channel);
  async function* requests() {
    yield request;
  }
  try {
    for await (const answer of client.serverReflectionInfo(requests())) return answer;
    throw new Error("no answer");
  } finally {
    channel.close();
  }
}

async function serve(descriptorFile: string) {
  const server = createServer();
  addReflection(server, ["identity.v1.IdentityService"], descriptorFile);
  return { port: await server.listen("127.0.0.1:0"), stop: () => server.shutdown() };
}

const list = () => new ServerReflectionRequest().setListServices("*");

test("tells which services there are, and what their files and those they import say", async () => {
  const { port, stop } = await serve(descriptors);
  const fileOf = async (request: ServerReflectionRequest) => {
    const [bytes] = (await ask(port, request)).getFileDescriptorResponse()?.getFileDescriptorProtoList_asU8() ?? [];
    return FileDescriptorProto.deserializeBinary(bytes ?? new Uint8Array());
  };
  const services = (await ask(port, list())).getListServicesResponse()?.getServiceList();
  expect(services?.map((service) => service.getName())).toEqual(["identity.v1.IdentityService"]);

  const file = await fileOf(new ServerReflectionRequest().setFileContainingSymbol("identity.v1.IdentityService"));
  const rpcs = file.getServiceList().flatMap((service) => service.getMethodList());
  expect(rpcs.map((rpc) => rpc.getName())).toContain("VerifyCredentials");
  const timestamp = "google/protobuf/timestamp.proto";
  expect(file.getDependencyList()).toContain(timestamp);
  const imported = await fileOf(new ServerReflectionRequest().setFileByFilename(timestamp));
  expect(imported.getMessageTypeList().map((message) => message.getName())).toEqual(["Timestamp"]);
  await stop();
});

test("says what makes the descriptor set where it is missing", async () => {
  const { port, stop } = await serve(join(folder, "none.binpb"));
  await expect(ask(port, list())).rejects.toMatchObject({ code: 9, details: expect.stringContaining("npm run gen") });
  await stop();
});

test("is there unless the environment is production", async () => {
  const network = await createProbeNetwork();
  const before = process.env["NODE_ENV"];
  const open = await network.serve({ reflection: "as the environment says" });
  process.env["NODE_ENV"] = "production";
  const closed = await network.serve({ reflection: "as the environment says" }).finally(() => {
    process.env["NODE_ENV"] = before;
  });
  await expect(ask(closed.port, list())).rejects.toMatchObject({ code: 12 });
  await ask(open.port, list()).catch((error: { code?: number }) => expect(error.code).toBe(9));
  await network.close();
});
