const { join } = require("node:path");

// Sources are ES modules; inside Jest they are compiled to CommonJS (Jest's own ESM mode leaks memory per file).
// The MongoDB driver imports dynamically, hence NODE_OPTIONS=--experimental-vm-modules in the npm scripts.
const compiled = {
  jsc: { parser: { syntax: "typescript" }, target: "es2024" },
  module: { type: "commonjs" },
  // Beside the code and not in it, where every test file would read them again.
  sourceMaps: true,
};
const common = {
  rootDir: __dirname,
  // Not in the run's own TMPDIR, which goes with it.
  cacheDirectory: join(__dirname, ".cache", "jest"),
  roots: ["services", "gateway", "deploy", "sdk", "console", "test"].map((folder) => join(__dirname, folder)),
  testEnvironment: "node",
  transform: {
    "^.+\\.(t|j)s$": ["@swc/jest", compiled],
  },
  transformIgnorePatterns: ["node_modules/(?!(any-ascii|jose|uuid|zod-openapi)/)"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1",
    "^@manilla/client$": join(__dirname, "sdk", "src", "index.ts"),
    // Zod loads its 50 languages whoever asks for it, and every test file loads it anew; we speak one.
    "^\\.\\./locales/index\\.cjs$": join(__dirname, "test", "support", "zod-locales.cjs"),
  },
};

// Slow, and they guard what changes seldom: `npm test` leaves them out, .ci/run has all of them.
const atCiDepth = [
  "deploy/chart/alert-rules",
  "deploy/cli/ledger/ledger-cli",
  "deploy/cli/tenant/move",
  "deploy/cli/tenant/move-faults",
  "deploy/local/cluster",
  "deploy/local/patience",
  "deploy/local/servers",
  "deploy/release/release",
  "gateway/bad-input",
  "gateway/protection",
  "sdk/conformance/everywhere",
  "services/compliance/handlers/business-date",
  "services/compliance/handlers/erasure",
  "services/identity/credentials/refresh-token-families",
  "services/identity/credentials/revocation-mirror",
  "services/identity/handlers/equal-requests",
  "services/identity/handlers/erasure",
  "services/identity/handlers/preferences",
  "services/identity/handlers/throttling",
  "services/investment/handlers/holdings",
  "services/investment/handlers/products",
  "services/investment/jobs/awaiting-compliance",
  "services/investment/jobs/day-stop",
  "services/ledger/journal/races",
  "services/ledger/journal/replicas",
  "services/ledger/journal/sharing",
  "services/ledger/store/read-plans",
  "services/lending/handlers/change-loan",
  "services/lending/handlers/equal-requests",
  "services/lending/handlers/erasure",
  "services/lending/handlers/money-back",
  "services/lending/handlers/payoff",
  "services/lending/jobs/day-stop",
  "services/remittance/handlers/block-orders",
  "services/remittance/handlers/blocks",
  "services/remittance/handlers/erasure",
  "services/remittance/handlers/forced-payouts",
  "services/remittance/handlers/payout-holds",
  "services/remittance/handlers/payouts",
  "services/remittance/jobs/reconciliation",
  "services/remittance/sagas/payout",
  "services/shared/master-key/aws-keys",
  "services/shared/master-key/rotation-kills",
  "services/shared/master-key/vault-keys",
  "services/shared/outbox/relay",
  "services/shared/redis-places",
  "services/shared/redis-sentinel",
  "services/shared/start-service",
  "services/wallet/handlers/erasure",
  "services/wallet/handlers/payables",
  "services/wallet/handlers/statuses",
  "services/wallet/sagas/recovery",
  "test/chart/hooks",
  "test/chart/rendering",
  "test/chart/secrets",
  "test/console/cases",
  "test/console/cash",
  "test/console/compliance-parts",
  "test/console/corridors",
  "test/console/customers",
  "test/console/investments",
  "test/console/ledger",
  "test/console/loans",
  "test/console/organisation",
  "test/console/plugins",
  "test/console/policy",
  "test/console/sandbox",
  "test/console/states",
  "test/console/tokens",
  "test/console/webhooks",
  "test/contract/api-tokens",
  "test/contract/token-mutations",
  "test/e2e/investment-life",
  "test/e2e/processes",
  "test/e2e/schemathesis",
  "test/e2e/tracing",
  "test/e2e/without-investment",
  "test/property/ledger-bench",
  "test/property/ledger-model",
  "test/property/lending-oracle",
  "test/support/end-of-jest",
];
const isQuick = (process.env.TEST_DEPTH ?? "quick") === "quick";
const leftOut = isQuick ? atCiDepth.map((file) => `<rootDir>/${file}\\.test\\.ts$`) : [];

const support = (name) => join(__dirname, "test", "support", name);
const beforeAndAfter = (name) => ({
  globalSetup: support(`global-setup${name}.ts`),
  globalTeardown: support(`global-teardown${name}.ts`),
});
// A test fails whose code sends MongoDB a command without a tenant.
const tenantWatch = { setupFilesAfterEnv: [support("tenant-watch.ts")] };

module.exports = {
  reporters: [join(__dirname, "test", "run", "progress.cjs"), "summary"],
  testSequencer: join(__dirname, "test", "run", "order.cjs"),
  maxWorkers: 2,
  workerIdleMemoryLimit: "768MB",
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      // One mongod and one Redis for a whole run.
      ...beforeAndAfter(""),
      ...tenantWatch,
      displayName: "unit",
      testMatch: [
        "services",
        "gateway",
        "deploy",
        "sdk",
        "console",
        "test/property",
        "test/chart",
        "test/contract",
        "test/support",
      ].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
      testPathIgnorePatterns: ["/node_modules/", ...leftOut],
    },
    // One built cluster for all of them.
    {
      ...common,
      ...beforeAndAfter("-e2e"),
      // The books balance after every test.
      setupFilesAfterEnv: [support("trial-balance.ts")],
      displayName: "e2e",
      testMatch: ["<rootDir>/test/e2e/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", ...leftOut],
    },
    // The console in a browser, before the same kind of cluster.
    {
      ...common,
      ...beforeAndAfter("-e2e"),
      setupFilesAfterEnv: [support("trial-balance.ts")],
      displayName: "console",
      testMatch: ["<rootDir>/test/console/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", ...leftOut],
    },
    // Each starts, kills and restarts clusters of its own.
    { ...common, displayName: "faults", testMatch: ["<rootDir>/test/faults/**/*.test.ts"] },
  ],
};
