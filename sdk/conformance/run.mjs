// Runs the cases on this Node, or in Chromium:
// `node run.mjs [--library=sdk/dist/index.js] [--only=words] [--chromium]`.
// Prints what failed, and last one line of JSON: { on, ran, failed }. Its
// status is 1 where something failed.
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect, parseArgs } from "node:util";
import { runCases } from "./driver.mjs";
import { startServer } from "./server.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    library: { type: "string", default: resolve(here, "../dist/index.js") },
    only: { type: "string", default: "" },
    chromium: { type: "boolean", default: false },
  },
});
const library = resolve(values.library);
const suite = JSON.parse(await readFile(resolve(here, "cases.json"), "utf8"));
const cases = suite.cases.filter(({ name }) => name.includes(values.only));

const server = await startServer({ files: { conformance: here, library: dirname(library) } });
try {
  const { on, ran, failed } = values.chromium ? await inChromium() : await onNode();
  for (const { name, failures } of failed)
    process.stdout.write(`${name}\n${failures.map((each) => `  ${each}\n`).join("")}`);
  process.stdout.write(`${JSON.stringify({ on, ran, failed: failed.map(({ name }) => name) })}\n`);
  if (failed.length > 0 || ran !== cases.length || ran === 0) process.exitCode = 1;
} finally {
  await server.close();
}

async function onNode() {
  const client = await import(pathToFileURL(library));
  const options = { serverUrl: server.url, atOnce: 8, inspect: (value) => inspect(value, { depth: 9 }) };
  return { on: `Node ${process.versions.node}`, ...(await runCases(client, { cases }, options)) };
}

async function inChromium() {
  const [{ default: bundled }, { chromium }] = await Promise.all([
    import("@sparticuz/chromium"),
    import("playwright-core"),
  ]);
  const executablePath = process.env.CHROMIUM ?? (await bundled.executablePath());
  // Containers lend root no namespaces for the sandbox, and have no GPU.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--no-zygote", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const given = { cases, serverUrl: server.url, file: basename(library) };
    const result = await page.evaluate(async (asked) => {
      const [client, { runCases: run }] = await Promise.all([
        import(`/library/${asked.file}`),
        import("/conformance/driver.mjs"),
      ]);
      // A browser has six connections to a server: cases that wait would hold up others.
      return run(client, { cases: asked.cases }, { serverUrl: asked.serverUrl });
    }, given);
    return { on: `Chromium ${browser.version()}`, ...result };
  } finally {
    await browser.close();
  }
}
