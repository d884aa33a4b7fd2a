// What of node_modules a test file asks for is Node's own, loaded once a worker:
// docs/decisions/0001-layout-and-toolchain.md.
const vm = require("node:vm");
const { isBuiltin } = require("node:module");
const { default: JestRuntime } = require("jest-runtime");
const zod = require("zod");

// Jest's own parts belong to a test file; so do what counts for a process, and what changes the
// modules of others.
const ofEachFile = /\/node_modules\/(@jest|jest[^/]*|expect|prom-client|@opentelemetry)\//;

module.exports = class SharedModules extends JestRuntime {
  constructor(...about) {
    super(...about);
    const { executor, esmLoader } = this;
    // In the one realm of the worker, so that an error of a module is an Error of the test.
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      this._environment.global === null
        ? null
        : vm.compileFunction(source, executor.injectedModuleParameters, {
            filename,
            importModuleDynamically: (specifier, _, attributes, phase) =>
              executor.dynamicImport(specifier, filename, undefined, attributes, phase),
          });
    // Schemas are named anew by each file that makes them.
    zod.globalRegistry.clear();
  }

  requireModule(from, name, options, isActual) {
    if (name && !options?.isInternalModule && !isBuiltin(name)) {
      const path = this._resolution.resolveCjs(from, name);
      if (path.includes("/node_modules/") && !ofEachFile.test(path)) return require(path);
    }
    return super.requireModule(from, name, options, isActual);
  }
};
