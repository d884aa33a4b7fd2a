const { existsSync } = require("node:fs");
const { join } = require("node:path");

const support = (name) => {
  const path = join(__dirname, "test", "support", name);
  return existsSync(path) ? path : undefined;
};

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

// One mongod and one Redis for a whole run.
const servers = { globalSetup: support("global-setup.ts"), globalTeardown: support("global-teardown.ts") };
const withServers = Object.fromEntries(Object.entries(servers).filter(([, path]) => path !== undefined));
// A test fails whose code sends MongoDB a command without a tenant.
const tenantWatch = { setupFilesAfterEnv: [support("tenant-watch.ts")].filter((path) => path !== undefined) };

module.exports = {
  maxWorkers: 2,
  workerIdleMemoryLimit: "768MB",
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      ...withServers,
      ...tenantWatch,
      displayName: "unit",
      testMatch: ["services", "gateway", "deploy", "test/property", "test/contract", "test/support"].map(
        (folder) => `<rootDir>/${folder}/**/*.test.ts`,
      ),
    },
    { ...common, displayName: "e2e", testMatch: ["<rootDir>/test/e2e/**/*.test.ts"] },
    { ...common, displayName: "faults", testMatch: ["<rootDir>/test/faults/**/*.test.ts"] },
  ],
};
