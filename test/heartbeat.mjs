// Loaded into Jest's own process: as long as its event loop turns it touches the file JEST_BEATS every second.
import { writeFileSync } from "node:fs";

const beats = process.env.JEST_BEATS;
// Not its workers, nor what tests start.
if (beats !== undefined && /[/\\]jest(\.js)?$/.test(process.argv[1] ?? "")) {
  setInterval(() => writeFileSync(beats, ""), 1_000).unref();
}
