// The server of `npm run bench:sdk`, in a process of its own: answers a quote to whatever is asked.
import { createServer } from "node:http";

const quote = {
  id: "0199d0c2-43bc-7341-86c0-b8c5b861ebd4",
  sendAmount: "20.00",
  totalAmount: "22.26",
  exchangeRate: "1502.330000",
  fees: [{ name: "TRANSFER", amount: "2.26" }],
  expiresAt: "2026-01-02T03:04:05.678Z",
};
const body = JSON.stringify({ status: "SUCCESS", data: quote, message: "quote" });
const headers = {
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
  "x-fapi-interaction-id": "0199d0c2-43bc-7341-86c0-b8c5b861ebd5",
  "ratelimit-limit": "1200",
  "ratelimit-remaining": "1199",
  "ratelimit-reset": "60",
};
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, headers).end(body));
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
