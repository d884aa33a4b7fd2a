// The other half of the bare pair: a gRPC service that answers with one findOne, and does nothing
// else.
import { Server, ServerCredentials, type UntypedHandleCall } from "@grpc/grpc-js";
import mongoose from "mongoose";
import { bareDefinition } from "./bare-definition.js";

const [uri = "", port = ""] = process.argv.slice(2);
const db = await mongoose.createConnection(uri, { dbName: "bench_bare", maxPoolSize: 10 }).asPromise();
const tenants = db.collection("tenants");
await tenants.updateOne(
  { name: "demo" },
  { $set: { name: "demo", currencies: ["USD", "NGN"], padding: "x".repeat(600) } },
  { upsert: true },
);

const server = new Server();
const read: UntypedHandleCall = ((_call: unknown, answer: (error: Error | null, value?: Buffer) => void) => {
  tenants.findOne({ name: "demo" }).then(
    (found) => answer(null, Buffer.from(JSON.stringify(found))),
    (error: Error) => answer(error),
  );
}) as never;
server.addService(bareDefinition, { read });
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), () => process.send?.("ready"));
