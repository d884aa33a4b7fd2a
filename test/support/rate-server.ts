import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const rateKey = "the-key-of-the-rate-source";

export interface StatedRate {
  sendCurrency: unknown;
  receivingCurrency: unknown;
  rate: unknown;
  validFrom?: string;
  validUntil?: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A source of rates on loopback, by the contract or as a test has it answer. */
export async function startRateServer() {
  const state = {
    rates: [] as StatedRate[],
    at: () => new Date(),
    /** In place of the contract. */
    answer: undefined as Answer | undefined,
    key: rateKey,
    asked: 0,
  };
  const server = createServer((request, response) => {
    state.asked += 1;
    if (state.answer !== undefined) return state.answer(request, response);
    if (request.headers.authorization !== `Bearer ${state.key}`) return void response.writeHead(401).end("{}");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ rates: state.rates, at: state.at().toISOString() }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://127.0.0.1:${port}/rates`,
    /** Of USD to NGN alone. */
    say: (rate: unknown, more: object = {}) =>
      void (state.rates = [{ sendCurrency: "USD", receivingCurrency: "NGN", rate, ...more }]),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type RateServer = Awaited<ReturnType<typeof startRateServer>>;

/** The ECB's document of a day, as it is published. */
export function ecbDocument(day: string, quotes: Record<string, string>): string {
  const cubes = Object.entries(quotes).map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube><Cube time='${day}'>${cubes.join("")}</Cube></Cube></gesmes:Envelope>`;
}
