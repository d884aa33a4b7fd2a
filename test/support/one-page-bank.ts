import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListedCredit {
  creditId: string;
  reference: string;
  amount: string;
  currency: string;
}

/** A bank that answers every question with one page of credits, whose cursor never moves on. */
export async function startOnePageBank(credits: readonly ListedCredit[]) {
  const rest = { senderName: "Amina Bello", receivedAt: "2026-11-21T10:00:00Z" };
  const page = JSON.stringify({ credits: credits.map((credit) => ({ ...credit, ...rest })), nextCursor: "" });
  const server = createServer((_request, response) => void response.end(page));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: "any-key",
    stop: () => new Promise((resolve) => void server.close(resolve)),
  };
}
