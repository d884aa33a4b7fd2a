import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everyPod, examples, forms } from "./forms.js";
import { findHelm } from "./helm.js";
import { podsOf, refusalOf, render, renderAnew, type KubeObject } from "./render.js";

// A render is a second of work, and a machine may be busy; building helm, where
// there is none, takes minutes once.
jest.setTimeout(300_000);
beforeAll(async () => void (await findHelm()), 1_200_000);

const annotationsOf = ({ metadata }: KubeObject) => metadata.annotations ?? {};
const isHook = (one: KubeObject) => annotationsOf(one)["helm.sh/hook"] !== undefined;
const weightOf = (one: KubeObject) => Number(annotationsOf(one)["helm.sh/hook-weight"] ?? 0);
const upgradeOf = async (example: string) => (await renderAnew({}, example, ["--is-upgrade"])).objects;

/** A database elsewhere is there at every upgrade. */
const external = "production.yaml";

test("the hook that migrates has another name than an install's job, which uninstall leaves it for", async () => {
  expect(examples).toContain(external);
  const jobOf = (objects: readonly KubeObject[]) =>
    objects.filter(({ kind, metadata }) => kind === "Job" && metadata.name.includes("-migrate-"));
  const [installed] = jobOf((await render({}, external)).objects);
  const upgrades = jobOf(await upgradeOf(external));
  expect(upgrades).toHaveLength(1);
  expect([isHook(installed!), isHook(upgrades[0]!)]).toEqual([false, true]);
  expect(installed!.metadata.name).toMatch(/^manilla-migrate-[0-9a-f]{10}$/);
  expect(upgrades[0]!.metadata.name).toMatch(/^manilla-migrate-upgrade-[0-9a-f]{6}$/);
  expect(upgrades[0]!.spec).toEqual(installed!.spec);
});

test("no job's name is longer than Kubernetes takes, whatever the release is called", async () => {
  const values = { ...everyPod, fullnameOverride: "a".repeat(63) };
  for (const more of [[], ["--is-upgrade"]]) {
    const { objects } = await renderAnew(values, external, more);
    const longest = { Job: 63, CronJob: 52 } as const;
    const tooLong = objects.filter(({ kind, metadata }) => metadata.name.length > (longest[kind as never] ?? 253));
    expect(tooLong.map(({ metadata }) => metadata.name)).toEqual([]);
  }
});

test("what a cluster answers to a look-up is asked whether it is empty: it is an object, and no truth value", () => {
  const templates = readdirSync("charts/manilla/templates").filter((name) => /\.(yaml|tpl)$/.test(name));
  const lookUps = templates
    .flatMap((name) => readFileSync(join("charts/manilla/templates", name), "utf8").split("\n"))
    .filter((line) => line.includes("(lookup "));
  expect(lookUps.length).toBeGreaterThan(0);
  expect(lookUps.filter((line) => !line.includes("(empty (lookup "))).toEqual([]);
});

test("a pod of a hook has the policy of its own release: it is a hook too, is made first, and stays", async () => {
  const objects = await upgradeOf(external);
  const jobs = objects.filter((one) => isHook(one) && one.kind === "Job");
  expect(jobs).toHaveLength(2);
  for (const job of jobs) {
    const labels = podsOf([job])[0]!.metadata.labels;
    const component = labels["app.kubernetes.io/component"];
    const policies = objects.filter(
      ({ kind, spec }) =>
        kind === "NetworkPolicy" && spec.podSelector.matchLabels["app.kubernetes.io/component"] === component,
    );
    expect(policies.map(({ metadata }) => metadata.name)).toEqual([`manilla-hook-${component}`]);
    expect(annotationsOf(policies[0]!)).toEqual({
      "helm.sh/hook": "pre-install,pre-upgrade",
      "helm.sh/hook-weight": "-20",
      "helm.sh/hook-delete-policy": "before-hook-creation",
    });
    expect(weightOf(policies[0]!)).toBeLessThan(weightOf(job));
  }
});

test("the ledger's verification asks for its own list of tenants where none is named, as in production", async () => {
  const { objects } = await render({}, external);
  const verify = podsOf(objects).find(({ owner }) => owner === "CronJob manilla-ledger-verify");
  expect(verify!.spec.containers[0]!.args).toEqual(expect.arrayContaining(["verify", "--all"]));
});

const needed = ["compliance", "events", "gateway", "identity", "ledger", "lending", "remittance", "wallet"];
test.each(needed)("%s cannot be switched off, and the refusal says so in one sentence", async (name) => {
  const refusal = await refusalOf({ services: { [name]: { enabled: false } } });
  expect(refusal).toContain(
    `services.${name}.enabled cannot be false: the others need it, and only investment can be left out`,
  );
});

test("every service but investment is one that cannot be switched off", async () => {
  const { objects } = await render(forms[0]!.values);
  const off = (await render({ services: { investment: { enabled: false } } })).objects;
  const deployments = (all: readonly KubeObject[]) =>
    all.flatMap(({ kind, metadata }) => (kind === "Deployment" ? [metadata.name] : []));
  const left = deployments(objects).filter((name) => !deployments(off).includes(name));
  expect(left).toEqual(["manilla-investment"]);
  const services = deployments(objects).filter((name) => name !== "manilla-partner" && !left.includes(name));
  expect(services.toSorted()).toEqual(needed.map((name) => `manilla-${name}`));
});
