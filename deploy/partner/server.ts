import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import Router from "@koa/router";
import Koa from "koa";
import type { Logger } from "../../services/kernel/process/log.js";
import { addAmendmentRoutes } from "./amendments.js";
import { openBankBooks } from "./bank-books.js";
import { addBankControlRoutes } from "./bank-control-routes.js";
import { addBankRoutes } from "./bank-routes.js";
import { createBankDesk } from "./bank.js";
import { createRules } from "./behaviours.js";
import { openBooks } from "./books.js";
import { deliverCallbacks } from "./callbacks.js";
import { addControlRoutes } from "./control-routes.js";
import { addIdentityRoutes } from "./identity-routes.js";
import { addListRoutes } from "./list-routes.js";
import { createPublishedLists } from "./lists.js";
import { openNotificationBooks } from "./notification-books.js";
import { addNotificationRoutes } from "./notification-routes.js";
import { addOutcomeRoutes } from "./outcome-routes.js";
import { addPayeeRoutes } from "./payee-routes.js";
import { addPayoutRoutes } from "./payout-routes.js";
import { createPayoutDesk } from "./payouts.js";
import { openRuleBooks } from "./rule-books.js";
import { addVerificationRoutes } from "./verification-routes.js";
import { openWebhookBooks } from "./webhook-books.js";
import { addWebhookRoutes } from "./webhook-routes.js";

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
  log?: Logger;
}

/**
 * Starts the sandbox partner, a payout network, a bank, a keeper of screening lists and a receiver
 * of webhooks: HTTP in, signed HTTP callbacks out, books of its own.
 */
export async function startPartner(config: PartnerConfig): Promise<{ port: number; stop(): Promise<void> }> {
  let wake = (): void => undefined;
  const { books, bank, messages, ruleBooks, webhooks } = openAll(config.booksFile, () => wake());
  const rules = createRules(ruleBooks, { settleMs: config.settleMs });
  const desk = createPayoutDesk(books);
  const router = new Router();
  addPayoutRoutes(router, { desk, books, rules, apiKey: config.apiKey, windowMs: config.windowMs });
  addAmendmentRoutes(router, { books, rules, apiKey: config.apiKey });
  addVerificationRoutes(router, { rules, apiKey: config.apiKey });
  addIdentityRoutes(router, { rules, apiKey: config.apiKey, settleMs: config.settleMs });
  addPayeeRoutes(router, { rules, apiKey: config.apiKey });
  addNotificationRoutes(router, { books: messages, rules, apiKey: config.apiKey });
  addWebhookRoutes(router, { books: webhooks });
  addListRoutes(router, { lists: createPublishedLists(), rules, apiKey: config.apiKey });
  addBankRoutes(router, { desk: createBankDesk(bank), books: bank, rules, apiKey: config.apiKey });
  addBankControlRoutes(router, { books: bank });
  addControlRoutes(router, { desk, rules });
  addOutcomeRoutes(router, { desk, bank, rules, apiKey: config.apiKey });

  const app = new Koa();
  app.use(router.routes());
  // HANG and AWAY cut connections on purpose; nothing of that is an error worth a line.
  app.silent = true;
  const server = createServer(app.callback());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const work = async () => {
    desk.settleDue();
    await deliverCallbacks(books, config.callbackSecret);
    return books.nextDueAt();
  };
  // A disk that is full now may have room later: what is due stays in the books until it is done.
  const ticking = startTicking(work, (err) => config.log?.error({ err }, "the books cannot be written"));
  ({ wake } = ticking);
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      await ticking.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      books.close();
      messages.close();
      bank.close();
      ruleBooks.close();
      webhooks.close();
    },
  };
}

/** Opens the books. Throws a sentence that names the file where it holds something else. */
function openAll(file: string, onChange: () => void) {
  try {
    checkBooks(file);
    return {
      books: openBooks(file, onChange),
      bank: openBankBooks(file),
      messages: openNotificationBooks(file),
      ruleBooks: openRuleBooks(file),
      webhooks: openWebhookBooks(file),
    };
  } catch (error) {
    const why = `cannot be opened (${(error as Error).message})`;
    const cause = `the partner's books ${file} ${why}: put a copy back, or move the file away to begin with empty ones`;
    throw new Error(cause, { cause: error });
  }
}

function checkBooks(file: string): void {
  const db = new DatabaseSync(file);
  try {
    const [found] = Object.values(db.prepare("PRAGMA quick_check(1)").get() ?? {});
    if (found !== "ok") throw new Error(String(found));
  } finally {
    db.close();
  }
}

const pauseAfterFailureMs = 1_000;
const tickMs = 50;
const longestRestMs = 60_000;

/**
 * Runs the work when it says that something is due, and after it is woken, every 50 ms at most and
 * never twice at once; goes on where it fails. `stop` waits for the last run.
 */
function startTicking(work: () => Promise<number | undefined>, onFailure: (error: unknown) => void) {
  const ending = new AbortController();
  let woken = Promise.withResolvers<void>();

  /** Until somebody wakes it, or so many ms have passed. */
  async function rest(ms: number): Promise<void> {
    const enough = new AbortController();
    const signal = AbortSignal.any([ending.signal, enough.signal]);
    await Promise.race([woken.promise, sleep(ms, undefined, { signal }).catch(() => undefined)]);
    enough.abort();
  }

  const ended = (async () => {
    while (!ending.signal.aborted) {
      woken = Promise.withResolvers();
      const restMs = await work().then(
        (nextAt = Infinity) => Math.min(nextAt - Date.now(), longestRestMs),
        (error: unknown) => {
          onFailure(error);
          return pauseAfterFailureMs;
        },
      );
      await sleep(tickMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (restMs > tickMs) await rest(restMs - tickMs);
    }
  })();
  return {
    wake: (): void => woken.resolve(),
    async stop(): Promise<void> {
      ending.abort();
      woken.resolve();
      await ended;
    },
  };
}
