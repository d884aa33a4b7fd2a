// Which servers a run starts, or is given.
import { execFileSync } from "node:child_process";
import { findMongod, findValkeyServer } from "../../deploy/local/servers.ts";

for (const { given, find } of [
  { given: "MONGODB_URI", find: findMongod },
  { given: "REDIS_URL", find: findValkeyServer },
]) {
  if (process.env[given] !== undefined) {
    console.log(`${given} is given: a server that runs already.`);
    continue;
  }
  const program = await find();
  const [version] = execFileSync(program, ["--version"], { encoding: "utf8" }).split("\n");
  console.log(`${version}: ${program}`);
}
