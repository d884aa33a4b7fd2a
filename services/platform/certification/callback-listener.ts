import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyCallback } from "../partners/callback-signature.js";

/**
 * Takes a partner's callbacks on this machine and remembers the references of those
 * that are signed as they should be.
 */
export async function listenForCallbacks(secret: string) {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const header = (name: string) => String(request.headers[name] ?? "");
      try {
        const signed = {
          webhookId: header("webhook-id"),
          webhookTimestamp: header("webhook-timestamp"),
          webhookSignature: header("webhook-signature"),
          body,
        };
        verifyCallback(signed, secret, new Date());
        seen.add((JSON.parse(body.toString()) as { payout: { reference: string } }).payout.reference);
        response.writeHead(204).end();
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    has: (reference: string) => seen.has(reference),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type CallbackListener = Awaited<ReturnType<typeof listenForCallbacks>>;
