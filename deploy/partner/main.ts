import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { startAdmin } from "../../services/kernel/startup/admin.js";
import { readConfig } from "../../services/kernel/process/config.js";
import { createLogger } from "../../services/kernel/process/log.js";
import { runProcess } from "../../services/kernel/process/run-process.js";
import { startPartner } from "./server.js";

const partnerEnv = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(0).max(65_535),
  ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  PARTNER_BOOKS_FILE: z.string().min(1),
  PARTNER_API_KEY: z.string().min(16),
  PARTNER_CALLBACK_SECRET: z.string().startsWith("whsec_"),
  PARTNER_SETTLE_MS: z.coerce.number().int().min(0).default(200),
  PARTNER_WINDOW_MS: z.coerce.number().int().min(100).default(10_000),
});

await runProcess("partner", async () => {
  const config = readConfig(partnerEnv);
  await mkdir(dirname(config.PARTNER_BOOKS_FILE), { recursive: true, mode: 0o700 });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const partner = await startPartner({
    host: config.HOST,
    port: config.PORT,
    booksFile: config.PARTNER_BOOKS_FILE,
    apiKey: config.PARTNER_API_KEY,
    callbackSecret: config.PARTNER_CALLBACK_SECRET,
    settleMs: config.PARTNER_SETTLE_MS,
    windowMs: config.PARTNER_WINDOW_MS,
    log: createLogger({ service: "partner", level: "info" }),
  });
  admin?.setReady(true);
  return { stop: async () => void (await Promise.all([partner.stop(), admin?.stop()])) };
});
