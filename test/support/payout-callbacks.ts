import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { on } from "./remittance-calls.js";

interface Receiver {
  receivePayoutCallback(
    request: { webhookId: string; webhookTimestamp: string; webhookSignature: string; body: Uint8Array },
    options: ReturnType<typeof on>,
  ): Promise<unknown>;
}

interface Owner {
  receiveCallback(
    request: { installationId: string; headers: Record<string, string>; body: Uint8Array },
    options: ReturnType<typeof on>,
  ): Promise<unknown>;
}

/** Stands where the gateway takes callbacks in; it can lose them. */
export async function startCallbackServer() {
  let receiver: Receiver | undefined;
  let owner: { of: Owner; tenantOf: (installationId: string) => string } | undefined;
  let isLosing = false;
  let taken = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name] ?? "");
      const [, , noun, named = ""] = (request.url ?? "").split("/");
      const callback = {
        webhookId: header("webhook-id"),
        webhookTimestamp: header("webhook-timestamp"),
        webhookSignature: header("webhook-signature"),
        body: Buffer.concat(chunks),
      };
      const deliver = async () => {
        if (isLosing) return;
        if (noun !== "plugins") await receiver?.receivePayoutCallback(callback, on(named));
        else {
          const headers = Object.fromEntries(
            ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, header(name)]),
          );
          const published = { installationId: named, headers, body: callback.body };
          await owner?.of.receiveCallback(published, on(owner.tenantOf(named)));
        }
      };
      deliver().then(
        () => {
          if (!isLosing) taken += 1;
          response.writeHead(204).end();
        },
        () => response.writeHead(500).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliverTo: (to: Receiver) => void (receiver = to),
    /** Callbacks of tenants' own partners. */
    deliverPluginsTo: (of: Owner, tenantOf: (installationId: string) => string) => void (owner = { of, tenantOf }),
    lose: (losing: boolean) => void (isLosing = losing),
    taken: () => taken,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
