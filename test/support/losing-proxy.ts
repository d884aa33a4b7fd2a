import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A proxy in front of an HTTP server that loses answers: `loses` is asked when the server has
 * answered whole, and the caller's connection is then broken instead.
 */
export async function startLosingProxy(target: string, loses: (request: IncomingMessage) => boolean) {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const broken = () => void request.socket.destroy();
    const forward = httpRequest({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("error", broken);
      answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
      answer.on("end", () => {
        if (loses(request)) return broken();
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.end(Buffer.concat(chunks));
      });
    });
    forward.on("error", broken);
    request.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // The tenant is found by the host name, which the target has.
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(resolve));
    },
  };
}
