import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { helm, helmAny, kubectl } from "../cluster.js";
import { runAny, wordsOf } from "../command.js";
import { chart, valuesFile } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

const examples = join(chart, "examples");

export function chartTests(suite: Suite): TestOf[] {
  return [
    {
      name: "helm lint --strict has nothing to say",
      run: async () => void (await helm(["lint", "--strict", chart])),
    },
    {
      name: "a wrong value is refused by its name",
      async run() {
        const wrong: [string, RegExp][] = [
          ["defaults.replica=3", /replica/],
          ["services.ledger.heapMB=3", /heapMB/],
          ["tls.source=none", /\/tls\/source/],
          ["gateway.service.port=http", /\/gateway\/service\/port/],
          ["image.digest=sha256:1", /\/image\/digest/],
          ["mongodb.embedded.persistance.enabled=false", /persistance/],
        ];
        for (const [value, name] of wrong) {
          const { status, stderr } = await helmAny(["template", "wrong", chart, "--set", value]);
          check(status !== 0 && name.test(stderr), `${value} was answered ${status}: ${stderr}`);
        }
        const { stderr } = await helmAny([
          "template",
          "wrong",
          chart,
          "--set",
          "services.wallet.calls={ledgr}",
          "--kube-version",
          await version(),
        ]);
        check(
          /services.wallet calls ledgr, which services does not have/.test(stderr),
          `an unknown service: ${stderr}`,
        );
        return `${wrong.length + 1} values`;
      },
    },
    ...[...readdirSync(examples).map((name) => join(examples, name)), join(chart, "the values of this suite")].map(
      (file) => ({
        name: `${relative(chart, file)} is accepted by the cluster`,
        run: () => dryRun(file.endsWith(".yaml") ? file : valuesFile(suite.values)),
      }),
    ),
  ];
}

/** Renders and has the API server check every object; kinds that it does not know are named. */
async function dryRun(values: string): Promise<string> {
  const rendered = await helm(["template", "manilla", chart, "-f", values, "--kube-version", await version()]);
  const documents = rendered.split(/^---$/m).filter((text) => /^kind:/m.test(text));
  const kindOf = (text: string) => `${/^apiVersion: (\S+)/m.exec(text)?.[1]} ${/^kind: (\S+)/m.exec(text)?.[1]}`;
  const known = new Set(
    (await kubectl(["api-resources", "--no-headers"])).split("\n").map((line) => {
      const words = line.trim().split(/\s+/);
      return `${words.at(-3)} ${words.at(-1)}`;
    }),
  );
  const unknown = [...new Set(documents.map(kindOf).filter((kind) => !known.has(kind)))];
  const input = documents.filter((text) => known.has(kindOf(text))).join("\n---\n");
  const words = [...wordsOf("KUBECTL", "kubectl"), "apply", "--dry-run=server", "-n", "default", "-f", "-"];
  const { status, stdout, stderr } = await runAny(words, { input });
  check(status === 0, stderr.slice(0, 2_000));
  check(!/Warning/i.test(stderr), stderr.slice(0, 2_000));
  const count = stdout.trim().split("\n").length;
  return `${count} objects${unknown.length > 0 ? `; this cluster does not know ${unknown.join(", ")}` : ""}`;
}

async function version(): Promise<string> {
  const { serverVersion } = JSON.parse(await kubectl(["version", "-o", "json"])) as {
    serverVersion: { gitVersion: string };
  };
  return serverVersion.gitVersion;
}
