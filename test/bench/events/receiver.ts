// The receivers of the benchmark, in a process of their own: /fast and
// /answers answer at once, /hangs never.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: number[] = [];
let count = 0;
let outOfOrder = 0;
let repeated = 0;
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
    arrivals.push(Date.now() - Date.parse(event.timestamp));
    response.writeHead(204).end();
    const before = last.get(event.subject.id) ?? 0;
    if (request.url === "/ordered" && event.sequence <= before) {
      // Its answer came too late: it is sent again.
      repeated += 1;
      return;
    }
    count += 1;
    if (request.url === "/ordered" && event.sequence !== before + 1) outOfOrder += 1;
    last.set(event.subject.id, event.sequence);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => {
  process.send?.({ arrivals, count, outOfOrder, repeated, subjects: last.size });
  arrivals = [];
});
process.on("disconnect", () => process.exit(0));
