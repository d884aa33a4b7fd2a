// Errors are told by name, since they come from the driver's copy or mongoose's, and nobody loads a
// driver for it.
const awayNames: ReadonlySet<string> = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoServerSelectionError",
  "MongooseServerSelectionError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "PoolClearedOnNetworkError",
  "MongoWaitQueueTimeoutError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
]);

// Codes of a member that is no primary, is going down or has just started: HostUnreachable,
// HostNotFound, NetworkTimeout, ShutdownInProgress, ReadConcernMajorityNotAvailableYet,
// PrimarySteppedDown, ExceededTimeLimit, SocketException, NotWritablePrimary,
// InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk,
// NotPrimaryOrSecondary, NotYetInitialized, KeyNotFound while the keys that sign its cluster's time
// are not read, DocumentValidationFailure while the tenant is held (held-tenants.ts), and of a read
// of several batches under which it was restarted: CursorNotFound, QueryPlanKilled, CursorKilled.
const awayCodes: ReadonlySet<unknown> = new Set([
  6, 7, 43, 89, 91, 94, 121, 134, 175, 189, 211, 237, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

// This label marks a write that the server could not do for now; a transaction's own label is left
// out, since at a commit it means that the transaction is gone (see transaction.ts).
const retryLabel = "RetryableWriteError";

const cutCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/**
 * True for a write to a socket that MongoDB has just closed: on Node 26 the driver lets Node's own
 * error through.
 */
export function isCutConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && cutCodes.has(error.code);
}

/**
 * True for an error that says that MongoDB could not be reached or is changing its primary, not
 * that the request was wrong.
 */
export function isMongoAway(error: unknown): boolean {
  if (isCutConnection(error)) return true;
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (awayNames.has(cause.name) || isMongooseWaiting(cause)) return true;
    if (cause.name.startsWith("Mongo") && (awayCodes.has(codeOf(cause)) || isToBeRetried(cause))) return true;
  }
  return false;
}

/**
 * Mongoose keeps what is asked while there is no connection, and gives up with an error that has
 * only a text.
 */
function isMongooseWaiting(error: Error): boolean {
  return error.name === "MongooseError" && /buffering timed out/.test(error.message);
}

const codeOf = (error: Error): unknown => ("code" in error ? error.code : undefined);

function isToBeRetried(error: Error): boolean {
  const labels: unknown = "errorLabels" in error ? error.errorLabels : undefined;
  return Array.isArray(labels) && labels.includes(retryLabel);
}
