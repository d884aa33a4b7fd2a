// `npm run bench:payments`: what a payment and a statement cost, as ratios of one run on one
// machine. Prints them.
import { cpus } from "node:os";
import { type Figure, sideBySide, rate, statements, argonRate } from "./measure.js";
import { withCluster } from "./cluster.js";
import { statementsOnly, passwordsOnly, clients, production, hashesAtOnce, quick } from "./options.js";

const figures: Figure[] = [];

if (!passwordsOnly) {
  await withCluster({ ARGON2_MEMORY_KIB: "8", ARGON2_PASSES: "1" }, async (bench) => {
    if (!statementsOnly) {
      const { payments, other, ratio } = await sideBySide(bench, () => rate(bench.post));
      const said = `${payments.toFixed(0)} payments/s of ${other.toFixed(0)} transfers/s`;
      figures.push({
        what: `payments at ${clients} clients (argon2id, 8 KiB, 1 pass), of what the ledger posts for as many clients of one process, gathered as the wallet's are (${said})`,
        value: ratio.toFixed(3),
        target: "none",
      });
    }
    figures.push(...(await statements(bench)));
    bench.close();
  });
}

if (statementsOnly) {
  sayFigures();
  process.exit(0);
}

await withCluster(
  {
    ARGON2_MEMORY_KIB: String(production.memoryKib),
    ARGON2_PASSES: String(production.passes),
    ARGON2_AT_ONCE: String(hashesAtOnce),
  },
  async (bench) => {
    const { payments, other, ratio } = await sideBySide(bench, argonRate);
    const said = `${payments.toFixed(1)} payments/s of ${other.toFixed(1)} hashes/s`;
    figures.push({
      what: `payments with production passwords (argon2id, 19 MiB, 2 passes, ${hashesAtOnce} at once), of what argon2 alone allows (${said})`,
      value: ratio.toFixed(3),
      target: "≥ 0.7",
    });
    bench.close();
  },
);

if (passwordsOnly) {
  sayFigures();
  process.exit(0);
}

function sayFigures(): void {
  for (const { what, value, target } of figures) process.stdout.write(`${what}: ${value} (${target})\n`);
}

const table = figures.map(({ what, value, target }) => `| ${what} | ${value} | ${target} |`).join("\n");

const text = `# Payments and statements

\`npm run bench:payments\`${quick ? " -- --quick" : ""}: ratios of one run on one machine (${cpus().length} cores); the load generator, the cluster and MongoDB (0.25 GB of cache, as \`npm start\` gives it) share it.

| what | value | target |
| ---- | ----- | ------ |
${table}
`;

process.stdout.write(`${text}\n`);

process.exit(0);
