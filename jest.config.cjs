const { join } = require("node:path");

// Sources are ES modules; inside Jest they are compiled to CommonJS (Jest's own ESM mode leaks memory per file).
// The MongoDB driver imports dynamically, hence NODE_OPTIONS=--experimental-vm-modules in the npm scripts.
const common = {
  rootDir: __dirname,
  roots: ["services", "gateway", "deploy", "test"].map((folder) => join(__dirname, folder)),
  testEnvironment: "node",
  transform: {
    "^.+\\.(t|j)s$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "commonjs" } },
    ],
  },
  transformIgnorePatterns: ["node_modules/(?!(jose|uuid|zod-openapi)/)"],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
};

// They take seconds each and guard what changes seldom: who waits for `npm test` goes without them, .ci/run has them all.
const atCiDepth = [
  "gateway/protection",
  "services/identity/credentials/refresh-token-families",
  "services/identity/credentials/revocation-mirror",
  "services/shared/redis-places",
  "test/contract/token-mutations",
  "test/property/ledger-bench",
  "test/property/lending-oracle",
  "deploy/cli/ledger/ledger-cli",
  "deploy/local/servers",
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
      testMatch: ["services", "gateway", "deploy", "test/property", "test/contract", "test/support"].map(
        (folder) => `<rootDir>/${folder}/**/*.test.ts`,
      ),
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
    },
    // Each starts, kills and restarts clusters of its own.
    { ...common, displayName: "faults", testMatch: ["<rootDir>/test/faults/**/*.test.ts"] },
  ],
};
