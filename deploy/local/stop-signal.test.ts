import { EventEmitter } from "node:events";
import { stopSignal } from "./stop-signal.js";

test("one Ctrl-C that comes twice stops in order; another one later waits for nothing", async () => {
  const [source, stopping, exits] = [new EventEmitter(), new AbortController(), [] as number[]];
  let nowMs = 5;
  const stopped = stopSignal(stopping, { source, exit: (code) => exits.push(code), now: () => nowMs });
  expect(stopping.signal.aborted).toBe(false);
  source.emit("SIGINT");
  await stopped;
  expect(stopping.signal.aborted).toBe(true);
  nowMs += 900;
  source.emit("SIGINT");
  expect(exits).toEqual([]);
  nowMs += 200;
  source.emit("SIGTERM");
  expect(exits).toEqual([1]);
});
