/** Names of what travels beside a message. */
export const metadataNames = {
  authorization: "authorization",
  tenantId: "x-tenant-id",
  interactionId: "x-interaction-id",
  userToken: "x-user-token",
  timeout: "grpc-timeout",
  /**
   * Set by our own server from grpc-timeout, which grpc-js hides; what a caller sends under it is
   * dropped.
   */
  deadline: "x-deadline-ms",
  /**
   * Set by our own server: the service that the caller's certificate names. What a caller sends
   * under it is dropped.
   */
  peer: "x-peer-service",
  replayed: "idempotency-replayed",
  refusal: "refusal",
} as const;

/**
 * What names an interaction, at the edge and between services: safe in logs, metadata and queries.
 */
export const interactionIdPattern = /^[A-Za-z0-9\-_.:]{1,128}$/;

export function isInteractionId(value: string | undefined): value is string {
  return value !== undefined && interactionIdPattern.test(value);
}
