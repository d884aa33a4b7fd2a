import { Client, credentials, Metadata, status, type ChannelCredentials, type ServiceError } from "@grpc/grpc-js";
import type { Rpc } from "./schema.js";

export interface CallInput {
  address: string;
  /**
   * Where services speak over mutual TLS: the caller's certificate, and the name that the service's
   * must carry.
   */
  tls?: { credentials: ChannelCredentials; name: string } | undefined;
  serviceToken: string;
  tenantId?: string | undefined;
  interactionId: string;
  userToken?: string | undefined;
  timeoutMs: number;
}

export type CallOutcome =
  | { kind: "answer"; answer: object; replayed: boolean }
  /** The service's own refusal, with its message. */
  | { kind: "refusal"; code: string; message: string; details?: unknown }
  /** gRPC's status where the service did not get to say anything. */
  | { kind: "failure"; status: string; message: string };

/** Calls one rpc, as services call each other. */
export async function callRpc(rpc: Rpc, request: object, input: CallInput): Promise<CallOutcome> {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${input.serviceToken}`);
  metadata.set("x-interaction-id", input.interactionId);
  if (input.tenantId !== undefined) metadata.set("x-tenant-id", input.tenantId);
  if (input.userToken !== undefined) metadata.set("x-user-token", input.userToken);
  const client = new Client(input.address, input.tls?.credentials ?? credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    ...(input.tls === undefined ? {} : { "grpc.ssl_target_name_override": input.tls.name }),
  });
  const { path, requestSerialize, responseDeserialize } = rpc.definition;
  const options = { deadline: Date.now() + input.timeoutMs };
  try {
    return await new Promise((resolve) => {
      let replayed = false;
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        options,
        (error, answer) => {
          if (error) resolve(outcomeOf(error));
          else resolve({ kind: "answer", answer: answer as object, replayed });
        },
      );
      call.on("metadata", (header) => {
        replayed = header.get("idempotency-replayed")[0] === "true";
      });
    });
  } finally {
    client.close();
  }
}

function outcomeOf(error: ServiceError): CallOutcome {
  const trailer = error.metadata?.get("refusal")[0];
  if (typeof trailer === "string") {
    const { code, message, details } = JSON.parse(trailer) as { code: string; message: string; details?: unknown };
    return { kind: "refusal", code, message, details };
  }
  return { kind: "failure", status: status[error.code], message: error.details };
}
