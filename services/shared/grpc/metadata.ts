/** Names of what travels beside a message. */
export const metadataNames = {
  authorization: "authorization",
  tenantId: "x-tenant-id",
  interactionId: "x-interaction-id",
  userToken: "x-user-token",
  timeout: "grpc-timeout",
  /** Set by our own server from grpc-timeout, which grpc-js hides; what a caller sends under it is dropped. */
  deadline: "x-deadline-ms",
  /** Set by our own server: the service that the caller's certificate names. What a caller sends under it is dropped. */
  peer: "x-peer-service",
  replayed: "idempotency-replayed",
  refusal: "refusal",
} as const;
