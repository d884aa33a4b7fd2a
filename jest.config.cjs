// Sources are ES modules; inside Jest they are compiled to CommonJS (Jest's own ESM mode leaks memory per file).
// The MongoDB driver imports dynamically, hence NODE_OPTIONS=--experimental-vm-modules in the npm scripts.
const common = {
  rootDir: __dirname,
  testEnvironment: "node",
  transform: {
    "^.+\\.(t|j)s$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "commonjs" } }],
  },
  transformIgnorePatterns: ["node_modules/(?!(jose|uuid|zod-openapi)/)"],
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
};
module.exports = common;
