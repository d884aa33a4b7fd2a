import { testRedisUrl } from "./index.js";

/** Environment of a service that the payout tests start for real. */
export function serverEnv({ uri, database }: { uri: string; database: string }) {
  return {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    PORT: "0",
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    REDIS_URL: testRedisUrl(),
    SERVICE_KEY_FILE: "given",
    SERVICE_JWKS_FILE: "given",
  };
}
