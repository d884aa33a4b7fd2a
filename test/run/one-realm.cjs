// The environment of a test file in the realm of its worker; what the file left on the process goes
// with it.
const { LegacyFakeTimers, ModernFakeTimers } = require("@jest/fake-timers");
const { ModuleMocker } = require("jest-mock");
const mongoose = require("mongoose");

module.exports = class OneRealm {
  constructor({ projectConfig: config }) {
    const global = globalThis;
    this.global = global;
    this.moduleMocker = new ModuleMocker(global);
    const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
    Error.stackTraceLimit = 100;
    this.before = {
      env: { ...process.env },
      listeners: [process, mongoose.events].map((emitter) => [emitter, listenersOf(emitter)]),
      names: new Set(Reflect.ownKeys(global)),
    };
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    const { env, listeners, names } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const [emitter, kept] of listeners) {
      for (const [event, listener] of listenersOf(emitter)) {
        if (!kept.some(([, one]) => one === listener)) emitter.off(event, listener);
      }
    }
    for (const name of Reflect.ownKeys(globalThis)) if (!names.has(name)) Reflect.deleteProperty(globalThis, name);
    await Promise.all(mongoose.connections.filter(({ readyState }) => readyState === 1).map((db) => db.destroy()));
    this.global = null;
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  /** There is none: `SharedModules` compiles for this realm. */
  getVmContext() {
    return null;
  }
};

const listenersOf = (emitter) =>
  emitter.eventNames().flatMap((event) => emitter.rawListeners(event).map((listener) => [event, listener]));
