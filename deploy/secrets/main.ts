import { z } from "zod";
import { readConfig } from "../../services/kernel/process/config.js";
import { createLogger } from "../../services/kernel/process/log.js";
import { endFailed } from "../../services/kernel/process/run-process.js";
import { apiServerEnv, openSecrets } from "./kubernetes.js";
import { makeSecrets } from "./make-secrets.js";
import { secretPlan } from "./plan.js";

const env = apiServerEnv.extend({
  SECRET_PLAN: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(secretPlan),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error"]).default("info"),
});

try {
  const config = readConfig(env);
  const log = createLogger({ service: "secrets", level: config.LOG_LEVEL });
  const store = await openSecrets(config);
  await makeSecrets(config.SECRET_PLAN, store, log);
  store.close();
  log.info("every secret is there");
} catch (error) {
  endFailed("secrets", error);
}
