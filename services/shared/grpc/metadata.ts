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
  /**
   * The form that the edge would answer in; in the trailer, the one that the stored answer was
   * given in.
   */
  answerForm: "x-answer-form",
  refusal: "refusal",
} as const;

/**
 * What names an interaction, at the edge and between services: safe in logs, metadata and queries.
 */
export const interactionIdPattern = /^[A-Za-z0-9\-_.:]{1,128}$/;

/**
 * What an answer is written in, as the edge names it: opaque to services, which keep it with the
 * answer.
 */
export const answerFormPattern = /^[\x20-\x7e]{1,200}$/;

export function isInteractionId(value: string | undefined): value is string {
  return value !== undefined && interactionIdPattern.test(value);
}
