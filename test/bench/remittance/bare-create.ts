// Remittance as a bare service: CreateTransaction is one insert, acknowledged as ours are, and
// nothing else. No token, price, rule or answer kept.
import { randomUUID } from "node:crypto";
import { Server, ServerCredentials, type UntypedHandleCall } from "@grpc/grpc-js";
import mongoose from "mongoose";
import { CreateTransactionRequest, CreateTransactionResponse } from "../../../proto/gen/remittance/v1/remittance.js";
import { sampleTransaction } from "../../gateway/samples.js";

const [uri = "", port = ""] = process.argv.slice(2);
const db = await mongoose.createConnection(uri, { dbName: "bench_bare", maxPoolSize: 10 }).asPromise();
const transactions = db.collection("transactions");
const acknowledged = { writeConcern: { w: "majority", j: true } } as const;

async function createTransaction(bytes: Buffer): Promise<Buffer> {
  const { dynamicFields: _fields, eligibleDocuments: _documents, ...order } = CreateTransactionRequest.decode(bytes);
  const transactionId = randomUUID();
  await transactions.insertOne({ transactionId, ...order } as never, acknowledged);
  const transaction = { ...sampleTransaction, transactionId };
  return Buffer.from(
    CreateTransactionResponse.encode(CreateTransactionResponse.fromPartial({ transaction } as never)).finish(),
  );
}

const asIs = (value: Buffer) => value;
const server = new Server();
const definition = {
  createTransaction: {
    path: "/remittance.v1.RemittanceService/CreateTransaction",
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  },
} as const;
const handle: UntypedHandleCall = ((
  call: { request: Buffer },
  answer: (error: Error | null, value?: Buffer) => void,
) => {
  createTransaction(call.request).then(
    (value) => answer(null, value),
    (error: Error) => answer(error),
  );
}) as never;
server.addService(definition, { createTransaction: handle });
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), () => process.send?.("ready"));
