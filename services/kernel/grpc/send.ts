import { Client, Metadata } from "@grpc/grpc-js";
import { ClientError, Status, type Channel } from "nice-grpc";
import { asIs, bytesDefinition, type GrpcDefinition } from "./definition.js";

/** What goes along with one attempt, and who wants to know how it ended. */
export interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  /** Our wait ends then; the other side is told by a header. */
  readonly remainingMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called with a look into the header, then into the trailer, before the promise ends. */
  readonly onMetadata: (valueOf: (name: string) => string | undefined) => void;
}

/**
 * Sends bytes and gives the answer's, or throws: ClientError of what gRPC says, AbortError when the
 * wait was over.
 */
export type Send = (request: Uint8Array, attempt: Attempt) => Promise<Uint8Array>;

const maxTimerMs = 2 ** 31 - 1;

/**
 * One for each rpc of a service. nice-grpc costs a quarter of a call for what unary bytes do not
 * need: iterators, a conversion of metadata both ways, two signals.
 */
export function createSenders(definition: GrpcDefinition, channel: Channel): Readonly<Record<string, Send>> {
  const client = new Client("", null as never, { channelOverride: channel });
  const senders: Record<string, Send> = {};
  for (const [rpc, { path }] of Object.entries(bytesDefinition(definition))) senders[rpc] = createSender(client, path);
  return senders;
}

function createSender(client: Client, path: string): Send {
  return (request, { headers, remainingMs, signal, onMetadata }) =>
    new Promise<Uint8Array>((resolve, reject) => {
      const metadata = new Metadata();
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
      const call = started(path, () =>
        client.makeUnaryRequest(path, bufferOf, asIs, request, metadata, (error, answer) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", stopWaiting);
          if (error) reject(new ClientError(path, error.code as number, error.details));
          else resolve(answer!);
        }),
      );
      const stopWaiting = (): void => {
        reject(ended());
        call.cancel();
      };
      const timer = setTimeout(stopWaiting, Math.min(remainingMs, maxTimerMs));
      const tell = (received: Metadata): void => onMetadata((name) => received.get(name)[0]?.toString());
      call.once("metadata", tell);
      call.once("status", ({ metadata: trailer }: { metadata: Metadata }) => tell(trailer));
      signal?.addEventListener("abort", stopWaiting, { once: true });
    });
}

/**
 * A channel that was closed (its process is stopping) throws instead of answering: nothing was
 * sent.
 */
function started<Call>(path: string, start: () => Call): Call {
  try {
    return start();
  } catch (error) {
    throw new ClientError(path, Status.UNAVAILABLE, (error as Error).message);
  }
}

// The buffer shares the bytes' memory, since grpc-js copies it into its frame.
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function ended(): Error {
  return new DOMException("the call has been ended", "AbortError");
}
