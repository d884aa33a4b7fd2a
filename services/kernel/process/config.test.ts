import { addressEnv, readConfig, serviceEnv } from "./config.js";

const good = {
  PORT: "7001",
  MONGODB_URI: "mongodb://user:hunter2@localhost:27017",
  MONGODB_DATABASE: "manilla_wallet",
  REDIS_URL: "redis://localhost:6379",
  SERVICE_KEY_FILE: "/keys/wallet.jwk.json",
  SERVICE_JWKS_FILE: "/keys/services.jwks.json",
  LEDGER_ADDRESS: "ledger:7005",
};
const schema = serviceEnv.extend({ ...addressEnv("LEDGER_ADDRESS"), ...addressEnv("IDENTITY_ADDRESS") });

test("reads what is there and defaults the rest", () => {
  const config = readConfig(schema, { ...good, IDENTITY_ADDRESS: "127.0.0.1:7000", ADMIN_PORT: "" });
  expect(config).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 7001,
    NODE_ENV: "development",
    LOG_LEVEL: "info",
    LEDGER_ADDRESS: "ledger:7005",
  });
  expect(config.ADMIN_PORT).toBeUndefined();
});

test("names every faulty variable at once, and no value", () => {
  const read = () =>
    readConfig(schema, {
      ...good,
      PORT: "many",
      LEDGER_ADDRESS: "http://ledger",
      REDIS_URL: "hunter3",
      LOG_LEVEL: "x",
    });
  expect(read).toThrow(/PORT: [^]*LOG_LEVEL|LOG_LEVEL: [^]*PORT/);
  expect(read).toThrow(/REDIS_URL: must start with redis/);
  expect(read).toThrow(/LEDGER_ADDRESS: must be host:port/);
  expect(read).toThrow(/IDENTITY_ADDRESS: is required/);
  expect(read).not.toThrow(/hunter/);
});

test("refuses an armed crash point in production", () => {
  const env = { ...good, IDENTITY_ADDRESS: "a:1", NODE_ENV: "production", CRASH_POINT: "wallet.payment.claimed" };
  expect(() => readConfig(schema, env)).toThrow("CRASH_POINT: must not be set in production");
});
