// `npm run bench:events`: from the commit of an outbox row to the first attempt at a receiver,
// what one replica delivers, and what a receiver that hangs costs the others. `--quick` is a
// minute of it, `--hanging` compares the last in turns, `--backlog 1000000` works off a long
// one. `--rate` is events a second.
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { longBacklog, throughput } from "./backlog.js";
import { hanging, latency } from "./latency.js";
import { createWorld, type World } from "./world.js";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    hanging: { type: "boolean" },
    backlog: { type: "string" },
    rate: { type: "string", default: "200" },
  },
});
const isQuick = values.quick === true;
const rate = Number(values.rate);

const say = async (row: Promise<string>) => void process.stdout.write(`${await row}\n`);

async function everything(world: World): Promise<void> {
  const [seconds, total] = isQuick ? [5, 2_000] : [20, 10_000];
  const load = { rate, seconds };
  await say(latency(world, "one receiver", ["/fast"], load));
  await say(latency(world, "beside one that hangs", ["/fast", "/hangs"], load));
  await say(latency(world, "one receiver, again", ["/fast"], load));
  await say(throughput(world, "without an order", "/fast", total));
  await say(throughput(world, "ordered, 200 subjects", "/ordered", total));
}

// A long backlog is larger than the quarter of a gigabyte that a mongod of tests keeps in memory.
const world = await createWorld(values.backlog === undefined ? {} : { cacheGb: 2 });
try {
  if (values.backlog !== undefined) await say(longBacklog(world, Number(values.backlog)));
  else if (values.hanging === true) await say(hanging(world, isQuick ? 2 : 6, { rate, seconds: isQuick ? 4 : 10 }));
  else await everything(world);
  const load = loadavg().map((one) => one.toFixed(1));
  process.stdout.write(`${cpus().length} processors, ${cpus()[0]?.model}; load ${load.join(" ")}\n`);
} finally {
  await world.stop();
}
