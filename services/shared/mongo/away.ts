// By name, not by class: the error may come from the driver's copy or mongoose's, and nobody loads a driver to look at it.
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

// A member that is no primary any more, or is going down: HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress,
// ReadConcernMajorityNotAvailableYet, PrimarySteppedDown, ExceededTimeLimit, SocketException, NotWritablePrimary,
// InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
const awayCodes: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

const cutCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/** True for a write to a socket that MongoDB has just closed: on Node 26 the driver lets Node's own error through. */
export function isCutConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && cutCodes.has(error.code);
}

/** True for an error that says that MongoDB could not be reached or is changing its primary, not that the request was wrong. */
export function isMongoAway(error: unknown): boolean {
  if (isCutConnection(error)) return true;
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (awayNames.has(cause.name)) return true;
    if (cause.name.startsWith("Mongo") && "code" in cause && awayCodes.has(cause.code)) return true;
  }
  return false;
}
