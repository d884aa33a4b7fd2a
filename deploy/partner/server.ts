import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import Router from "@koa/router";
import Koa from "koa";
import { openBankBooks } from "./bank-books.js";
import { addBankControlRoutes } from "./bank-control-routes.js";
import { addBankRoutes } from "./bank-routes.js";
import { createBankDesk } from "./bank.js";
import { createRules } from "./behaviours.js";
import { openBooks } from "./books.js";
import { deliverCallbacks } from "./callbacks.js";
import { addControlRoutes } from "./control-routes.js";
import { openNotificationBooks } from "./notification-books.js";
import { addNotificationRoutes } from "./notification-routes.js";
import { addPayoutRoutes } from "./payout-routes.js";
import { createPayoutDesk } from "./payouts.js";
import { addVerificationRoutes } from "./verification-routes.js";

export interface PartnerConfig {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** SQLite file of the partner's books. */
  booksFile: string;
  /** Bearer key that clients of the network present. */
  apiKey: string;
  /** "whsec_…": signs callbacks. */
  callbackSecret: string;
  /** From acceptance to payment, milliseconds. */
  settleMs: number;
  /** Length of the network's payout windows, milliseconds; one opens at each multiple. */
  windowMs: number;
}

/** Starts the sandbox partner, a payout network and a bank: HTTP in, signed HTTP callbacks out, books of its own. */
export async function startPartner(config: PartnerConfig): Promise<{ port: number; stop(): Promise<void> }> {
  const books = openBooks(config.booksFile);
  const bank = openBankBooks(config.booksFile);
  const messages = openNotificationBooks(config.booksFile);
  const rules = createRules({ settleMs: config.settleMs });
  const desk = createPayoutDesk(books);
  const router = new Router();
  addPayoutRoutes(router, { desk, books, rules, apiKey: config.apiKey, windowMs: config.windowMs });
  addVerificationRoutes(router, { rules, apiKey: config.apiKey });
  addNotificationRoutes(router, { books: messages, rules, apiKey: config.apiKey });
  addBankRoutes(router, { desk: createBankDesk(bank), books: bank, rules, apiKey: config.apiKey });
  addBankControlRoutes(router, { books: bank });
  addControlRoutes(router, { desk, rules });

  const app = new Koa();
  app.use(router.routes());
  // HANG and AWAY cut connections on purpose; nothing of that is an error worth a line.
  app.silent = true;
  const server = createServer(app.callback());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const stopTicking = startTicking(async () => {
    desk.settleDue();
    await deliverCallbacks(books, config.callbackSecret);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      await stopTicking();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      books.close();
      messages.close();
      bank.close();
    },
  };
}

/** Runs the work every 50 ms, never twice at once; returns a stop that waits for the last run. */
function startTicking(work: () => Promise<void>): () => Promise<void> {
  let stopped = false;
  const ended = (async () => {
    while (!stopped) {
      await work();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return async () => {
    stopped = true;
    await ended;
  };
}
