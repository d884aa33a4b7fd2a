import { ServerInterceptingCall, type ServerInterceptor } from "@grpc/grpc-js";
import { metadataNames } from "./metadata.js";
import type { Tls } from "../tokens/tls.js";

/**
 * Hands the service that the caller's certificate names on in metadata; grpc-js tells handlers
 * nothing of it.
 */
export function peerInterceptor(tls: Tls | undefined): ServerInterceptor {
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            metadata.remove(metadataNames.peer);
            const peer = tls?.serviceOf(call.getAuthContext().sslPeerCertificate);
            if (peer !== undefined) metadata.set(metadataNames.peer, peer);
            pass(metadata);
          },
        }),
    });
}
