import type { KMSClient, KMSServiceException } from "@aws-sdk/client-kms";
import { Refusal } from "../refusal.js";
import { contextText, MasterKeyError, type KeyContext, type KeyWrapper, type WrappedSecret } from "./key-wrapper.js";

export interface AwsOptions {
  /** ARNs of symmetric keys, the newest last. Others that a database names are never asked for. */
  keys: readonly string[];
  /** Instead of the region's own, such as a VPC endpoint. */
  endpoint?: string;
  timeoutMs?: number;
}

/**
 * Keys of AWS KMS: a version is a key, whose own yearly rotation AWS does by itself. Credentials
 * are found as everywhere in AWS: environment, web identity, container or instance. The library is
 * loaded here only, so that who does not use it does not carry it in memory.
 */
export async function createAwsKeys({ keys, endpoint, timeoutMs = 3_000 }: AwsOptions): Promise<KeyWrapper> {
  const sdk = await import("@aws-sdk/client-kms");
  const newestKey = keys.at(-1)!;
  const clients = new Map<string, KMSClient>();

  function clientOf(arn: string): KMSClient {
    const region = arn.split(":")[3]!;
    let client = clients.get(region);
    if (client === undefined) {
      const requestHandler = { requestTimeout: timeoutMs, connectionTimeout: timeoutMs, throwOnRequestTimeout: true };
      client = new sdk.KMSClient({
        region,
        requestHandler,
        maxAttempts: 2,
        ...(endpoint !== undefined && { endpoint }),
      });
      clients.set(region, client);
    }
    return client;
  }

  /** All attempts, and the look for credentials, end together in twice the time-out of one. */
  async function requested<T>(what: string, work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const abortSignal = AbortSignal.timeout(2 * timeoutMs);
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
    try {
      return await Promise.race([work({ abortSignal }), timedOut]);
    } catch (error) {
      throw refusalOf(error, what);
    }
  }

  function assertKnown(arn: string, what: string): void {
    if (keys.includes(arn)) return;
    throw new MasterKeyError(`${what} was stored under the master key ${arn}, which MASTER_KEY_AWS_KEYS does not name`);
  }

  async function wrap(secret: Uint8Array, context: KeyContext): Promise<WrappedSecret> {
    const command = new sdk.EncryptCommand({ KeyId: newestKey, Plaintext: secret, EncryptionContext: { ...context } });
    const answer = await requested(contextText(context), (options) => clientOf(newestKey).send(command, options));
    return wrappedOf(newestKey, answer.CiphertextBlob);
  }

  async function unwrap({ masterKeyId, sealed }: WrappedSecret, context: KeyContext): Promise<Uint8Array> {
    assertKnown(masterKeyId, contextText(context));
    const command = new sdk.DecryptCommand({
      KeyId: masterKeyId,
      CiphertextBlob: Buffer.from(sealed, "base64"),
      EncryptionContext: { ...context },
    });
    const answer = await requested(contextText(context), (options) => clientOf(masterKeyId).send(command, options));
    return answer.Plaintext!;
  }

  async function rewrap(wrapped: WrappedSecret, context: KeyContext): Promise<WrappedSecret> {
    const { masterKeyId, sealed } = wrapped;
    assertKnown(masterKeyId, contextText(context));
    const [from, to] = [clientOf(masterKeyId), clientOf(newestKey)];
    // A region knows its own keys only.
    if (from !== to) return wrap(await unwrap(wrapped, context), context);
    const command = new sdk.ReEncryptCommand({
      CiphertextBlob: Buffer.from(sealed, "base64"),
      SourceKeyId: masterKeyId,
      SourceEncryptionContext: { ...context },
      DestinationKeyId: newestKey,
      DestinationEncryptionContext: { ...context },
    });
    const answer = await requested(contextText(context), (options) => to.send(command, options));
    return wrappedOf(newestKey, answer.CiphertextBlob);
  }

  return {
    owns: (masterKeyId) => masterKeyId.startsWith("arn:"),
    newest: async () => newestKey,
    wrap,
    unwrap,
    rewrap,
  };
}

const wrappedOf = (masterKeyId: string, blob: Uint8Array | undefined): WrappedSecret => ({
  masterKeyId,
  sealed: Buffer.from(blob!).toString("base64"),
});

/** Only a no that was given for good is an error of the key; everything else may pass. */
function refusalOf(error: unknown, what: string): Error {
  const { name = "error", message = "", $metadata } = error as Partial<KMSServiceException>;
  const status = $metadata?.httpStatusCode ?? 500;
  const isBusy = status === 429 || /Throttl|TooManyRequests|LimitExceeded|RequestTimeout/.test(name);
  if (status >= 500 || isBusy) return new Refusal("UNAVAILABLE", `the key service does not answer: ${name}`);
  const text = `AWS KMS refuses ${what}: ${status} ${name} ${message}`.trimEnd().slice(0, 400);
  return new MasterKeyError(text, { cause: error });
}
