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
  const page = { credits: credits.map((credit) => ({ ...credit, ...rest })), nextCursor: "" };
  const server = createServer(({ url = "" }, response) => {
    const collection = new URL(url, "http://bank").searchParams.get("collection");
    response.end(JSON.stringify({ ...page, collection }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: "any-key",
    stop: () => new Promise((resolve) => void server.close(resolve)),
  };
}
