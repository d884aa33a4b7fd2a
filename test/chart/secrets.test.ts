import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSecrets } from "../../deploy/secrets/make-secrets.js";
import { secretPlan, type SecretPlan } from "../../deploy/secrets/plan.js";
import { memorySecrets } from "../support/memory-secrets.js";
import { silentLog } from "../support/index.js";
import { everyPod, examples, forms } from "./forms.js";
import { findHelm } from "./helm.js";
import { chart, containersOf, podOf, podsOf, render, type KubeObject, type Values } from "./render.js";

// A render is a second of work, and a machine may be busy; building helm, where
// there is none, takes minutes once.
jest.setTimeout(300_000);
beforeAll(async () => void (await findHelm()), 1_200_000);

const hook = "helm.sh/hook";

/** The plan that the job of a render gets; undefined where there is nothing to make. */
function planOf(objects: readonly KubeObject[]): SecretPlan | undefined {
  const job = podsOf(objects).find(({ owner }) => owner.startsWith("Job manilla-secrets"));
  const text = job?.spec.containers[0]!.env!.find(({ name }) => name === "SECRET_PLAN")?.value;
  return text === undefined ? undefined : secretPlan.parse(JSON.parse(text));
}

/** Every entry of a secret that a pod reads. */
function readBy(objects: readonly KubeObject[]): { secret: string; entry: string }[] {
  return podsOf(objects).flatMap((pod) => [
    ...(pod.spec.volumes ?? []).flatMap(({ secret }) =>
      (secret?.items ?? []).map(({ key }) => ({ secret: secret!.secretName, entry: key })),
    ),
    ...containersOf(pod).flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [{ secret: valueFrom.secretKeyRef.name, entry: valueFrom.secretKeyRef.key }] : [],
      ),
    ),
  ]);
}

test.each(forms.map((form): [string, (typeof forms)[number]] => [form.name, form]))(
  "%s: what pods read is made by the job, or named in values; and the job has rights to no other secret",
  async (_name, { values, example }) => {
    const { objects } = await render(values, example);
    const plan = planOf(objects);
    const store = memorySecrets();
    if (plan) await makeSecrets(plan, store, silentLog);
    const role = objects.find(({ kind }) => kind === "Role");
    const names = (role?.["rules"] as { verbs: string[]; resourceNames?: string[] }[] | undefined) ?? [];
    const named = names.flatMap(({ resourceNames = [] }) => resourceNames);
    expect(named.toSorted()).toEqual([...store.secrets.keys()].toSorted());
    expect(names.map(({ verbs, resourceNames }) => [verbs, resourceNames !== undefined])).toEqual(
      plan
        ? [
            [["create"], false],
            [["get", "patch"], true],
            // The marker of the master key, which is never changed.
            ...(plan.keys ? [[["get"], true]] : []),
          ]
        : [],
    );
    const missing = readBy(objects).filter(({ secret, entry }) => !store.secrets.get(secret)?.entries[entry]);
    // What is left is the operator's, and each example names it.
    const stated = example === undefined ? "" : readFileSync(join(chart, "examples", example), "utf8");
    expect(missing.filter(({ secret }) => !stated.includes(secret))).toEqual([]);
  },
);

test("rights and job come before everything else, in their order, and go when the job is done", async () => {
  const { objects } = await render(everyPod);
  const isOfPolicy = ({ kind }: KubeObject) => kind === "NetworkPolicy";
  const isOfTest = ({ metadata }: KubeObject) => metadata.annotations![hook] === "test";
  const every = objects.filter(({ metadata }) => metadata.annotations?.[hook] !== undefined);
  const hooks = every.filter((one) => !isOfPolicy(one) && !isOfTest(one));
  expect(hooks.map(({ kind, metadata }) => [kind, metadata.annotations])).toEqual(
    [
      ["ServiceAccount", "-20"],
      ["Role", "-20"],
      ["RoleBinding", "-20"],
      ["Job", "-10"],
    ].map(([kind, weight]) => [
      kind,
      {
        [hook]: "pre-install,pre-upgrade",
        "helm.sh/hook-weight": weight,
        "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
      },
    ]),
  );
});

test("what it makes is nobody's to prune: no label by which Argo CD would take it for a part of the release", async () => {
  const plan = planOf((await render({ commonLabels: { "app.kubernetes.io/instance": "x", team: "a" } })).objects)!;
  expect(plan.labels).toEqual({ "app.kubernetes.io/part-of": "manilla", "manilla/release": "manilla", team: "a" });
});

test("pods of hooks name no priority class of the chart's, which is made after them", async () => {
  const values = { ...everyPod, priorityClasses: { create: true } };
  const pods = podsOf((await render(values)).objects);
  const without = pods.filter(({ spec }) => spec["priorityClassName"] === undefined).map(({ owner }) => owner);
  expect(without.map((owner) => owner.replace(/-[0-9a-f]{10}$/, "")).toSorted()).toEqual([
    "Job manilla-migrate",
    "Job manilla-secrets",
    "Pod manilla-test",
  ]);
});

test("where values name every secret there is no job, and no right to secrets", async () => {
  expect(examples).toContain("own-certificates.yaml");
  const { objects } = await render({}, "own-certificates.yaml");
  expect(planOf(objects)).toBeUndefined();
  expect(objects.filter(({ kind }) => ["Role", "RoleBinding"].includes(kind))).toEqual([]);
});

test("a master key is in the plan where a service reads it from a file, and no migration reads any key", async () => {
  const job = async (values: Values) => planOf((await render(values)).objects)!.keys!;
  expect(await job({})).toMatchObject({ masterKey: true, marker: "manilla-keys-made" });
  const none = { keyFiles: { MASTER_KEY_FILE: null } };
  expect(await job({ services: { identity: none } })).toMatchObject({ masterKey: true });
  const nowhere = { identity: none, compliance: none, remittance: none, events: none };
  expect(await job({ services: nowhere })).toMatchObject({ masterKey: false });
  const { objects } = await render({});
  const migrate = podOf(objects, "Job", "migrate");
  expect(migrate.spec.volumes!.filter(({ secret }) => secret?.secretName === "manilla-keys")).toEqual([]);
  expect(JSON.stringify(migrate.spec)).not.toContain("MASTER_KEY_FILE");
});
