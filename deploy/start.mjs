// `npm start`: builds what has changed and runs the local cluster in this process.
import { build } from "./build.mjs";
import { fail } from "./steps.mjs";

try {
  await build({ trustsFirst: true });
  const { main } = await import("../dist/deploy/local/main.js");
  await main(process.argv.slice(2));
} catch (error) {
  fail(error);
}
