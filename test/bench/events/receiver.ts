// The receivers of the benchmark, in a process of their own: /fast and /answers answer at once, /hangs never.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: number[] = [];
let count = 0;
let outOfOrder = 0;
const last = new Map<string, number>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/hangs") return;
    if (request.url === "/answers") return void response.writeHead(204).end();
    const event = JSON.parse(Buffer.concat(chunks).toString()) as {
      sequence: number;
      subject: { id: string };
      timestamp: string;
    };
    const before = last.get(event.subject.id) ?? 0;
    if (request.url === "/ordered" && event.sequence !== before + 1) outOfOrder += 1;
    last.set(event.subject.id, event.sequence);
    arrivals.push(Date.now() - Date.parse(event.timestamp));
    count += 1;
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => {
  process.send?.({ arrivals, count, outOfOrder, subjects: last.size });
  arrivals = [];
});
process.on("disconnect", () => process.exit(0));
