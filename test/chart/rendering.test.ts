import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../deploy/local/project.js";
import { everything, everyPod, forms, placement, contents, type Form } from "./forms.js";
import { findHelm } from "./helm.js";
import {
  containersOf,
  podOf,
  podsOf,
  refusalOf,
  render,
  renderAnew,
  type KubeObject,
  type PodOf,
  type Values,
} from "./render.js";

// A render is a second of work, and a machine may be busy; building helm, where
// there is none, takes minutes once.
jest.setTimeout(300_000);
beforeAll(async () => void (await findHelm()), 1_200_000);

const objectsOf = async ({ values, example }: Form) => (await render(values, example)).objects;
const byForm = forms.map((form): [string, Form] => [form.name, form]);
const ofKind = (objects: readonly KubeObject[], kind: string) => objects.filter((one) => one.kind === kind);
const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe.each(byForm)("%s", (_name, form) => {
  test("renders the same text every time, and no secret: none is in a release, or overwritten by the next render", async () => {
    const [first, second] = [await render(form.values, form.example), await renderAnew(form.values, form.example)];
    expect(second.text).toBe(first.text);
    expect(ofKind(first.objects, "Secret")).toEqual([]);
  });

  test("every volume, variable, mount and container stands once in its pod, and every mount has its volume", async () => {
    for (const pod of podsOf(await objectsOf(form))) {
      const volumes = (pod.spec.volumes ?? []).map(({ name }) => name);
      // A StatefulSet's own come from its claims.
      const claims = pod.owner.startsWith("StatefulSet") ? ["data"] : [];
      const containers = containersOf(pod);
      const found = containers.map(({ name, env = [], volumeMounts = [] }) => ({
        name,
        repeated: [...repeated(env.map((one) => one.name)), ...repeated(volumeMounts.map((one) => one.mountPath))],
        unknown: volumeMounts.map((one) => one.name).filter((one) => ![...volumes, ...claims].includes(one)),
      }));
      expect([pod.owner, found]).toEqual([pod.owner, found.map(({ name }) => ({ name, repeated: [], unknown: [] }))]);
      expect([pod.owner, repeated(volumes), repeated(containers.map(({ name }) => name))]).toEqual([pod.owner, [], []]);
    }
  });

  test("objects have names of their own, and nothing runs as root, may write its root, or mounts a token unasked", async () => {
    const objects = await objectsOf(form);
    expect(repeated(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))).toEqual([]);
    for (const pod of podsOf(objects)) {
      expect([pod.owner, pod.spec["automountServiceAccountToken"]]).toEqual([pod.owner, false]);
      expect([pod.owner, pod.spec["securityContext"].runAsNonRoot]).toEqual([pod.owner, true]);
      const ours = containersOf(pod).filter(({ name }) => name !== "vault-agent" && name !== "beside");
      for (const { securityContext } of ours)
        expect([pod.owner, securityContext]).toMatchObject([
          pod.owner,
          { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        ]);
    }
  });
});

/** The pods of the form in which all of them are on. */
const everyPodOf = async (values: Values) => podsOf(await objectsOf({ name: "", values: { ...everyPod, ...values } }));
const isBare = ({ owner }: PodOf) => /-(mongodb|redis|secrets|test)/.test(owner.replace("secrets-", "-secrets"));
const withoutTail = ({ owner }: PodOf) => owner.replace(/-[0-9a-f]{10}$/, "");

test("these are all pods that there are: whoever adds one finds it here", async () => {
  const owners = (await everyPodOf({})).map(withoutTail).toSorted();
  const services = [
    "compliance",
    "events",
    "gateway",
    "identity",
    "investment",
    "ledger",
    "lending",
    "remittance",
    "wallet",
  ];
  expect(owners).toEqual([
    "CronJob manilla-ledger-verify",
    ...[...services, "operator", "partner"].toSorted().map((name) => `Deployment manilla-${name}`),
    "Job manilla-migrate",
    "Job manilla-secrets",
    "Job manilla-seed",
    "Pod manilla-test",
    "StatefulSet manilla-mongodb",
    "StatefulSet manilla-redis",
  ]);
});

describe("what is set for all reaches all", () => {
  const asRendered: [keyof typeof placement, (pod: PodOf) => unknown, unknown][] = [
    ["podLabels", ({ metadata }) => metadata.labels, placement.podLabels],
    ["podAnnotations", ({ metadata }) => metadata.annotations, placement.podAnnotations],
    ["priorityClassName", ({ spec }) => spec["priorityClassName"], placement.priorityClassName],
    ["topologySpread", ({ spec }) => spec["topologySpreadConstraints"], [{ topologyKey: "example.com/rack" }]],
    ["nodeSelector", ({ spec }) => spec["nodeSelector"], placement.nodeSelector],
    ["tolerations", ({ spec }) => spec["tolerations"], placement.tolerations],
    ["affinity", ({ spec }) => spec["affinity"], placement.affinity],
    ["podSecurityContext", ({ spec }) => spec["securityContext"], placement.podSecurityContext],
  ];

  test("each setting of a place is one that is looked for below", () => {
    expect(asRendered.map(([setting]) => setting).toSorted()).toEqual(Object.keys(placement).toSorted());
  });

  test.each(asRendered)("%s", async (setting, read, expected) => {
    const pods = await everyPodOf({ defaults: { [setting]: placement[setting] } });
    expect(pods.length).toBeGreaterThan(15);
    for (const pod of pods) expect({ pod: pod.owner, has: read(pod) }).toMatchObject({ pod: pod.owner, has: expected });
  });

  test("a pod's own settings in `pods` win over those of all", async () => {
    const names = ["secrets", "migrate", "seed", "operator", "partner", "test", "mongodb", "redis"];
    const own = Object.fromEntries(names.map((name) => [name, { nodeSelector: { "example.com/pool": name } }]));
    const pods = await everyPodOf({ defaults: placement, pods: own });
    const pools = pods.map((pod) => [withoutTail(pod).replace(/.*manilla-/, ""), pod.spec["nodeSelector"]]);
    for (const [name, selector] of pools.filter(([name]) => names.includes(name)))
      expect([name, selector]).toEqual([name, { "example.com/pool": name }]);
    expect(pools.filter(([, selector]) => selector["example.com/pool"] === "money")).toHaveLength(9);
  });

  test("environment, volumes and init containers reach every pod of ours; sidecars the services alone", async () => {
    const pods = podsOf(await objectsOf(everything));
    for (const pod of pods.filter((one) => !isBare(one))) {
      const own = pod.spec.containers.filter(({ name }) => name !== "beside");
      for (const container of own) {
        const names = container.env!.map(({ name }) => name);
        expect([pod.owner, names]).toEqual([pod.owner, expect.arrayContaining(["PROXY_OF_THE_BANK", "REGION"])]);
        expect([pod.owner, container.envFrom]).toEqual([pod.owner, contents.envFrom]);
        expect(container.volumeMounts).toEqual(expect.arrayContaining(contents.extraVolumeMounts));
      }
      expect(pod.spec.volumes).toEqual(expect.arrayContaining(contents.extraVolumes));
      expect(pod.spec.initContainers).toEqual(expect.arrayContaining(contents.initContainers));
    }
    const beside = pods.filter(({ spec }) => spec.containers.some(({ name }) => name === "beside"));
    expect(beside.every(({ owner }) => owner.startsWith("Deployment")) && beside.length).toBe(9);
  });

  test("common labels are on every object and pod, and in no selector, which could never change again", async () => {
    const objects = await objectsOf(everything);
    for (const { kind, metadata } of objects)
      expect([kind, metadata.name, metadata.labels]).toMatchObject([
        kind,
        metadata.name,
        { "cost.example/centre": "4711" },
      ]);
    for (const { metadata } of podsOf(objects))
      expect(metadata.labels).toMatchObject({ "cost.example/centre": "4711" });
    const selectors = objects.map(({ spec }) => JSON.stringify(spec?.selector ?? spec?.podSelector ?? {}));
    expect(selectors.filter((text) => text.includes("cost.example"))).toEqual([]);
  });

  test("pull secrets are named in both forms", async () => {
    for (const { spec } of podsOf(await objectsOf(everything)))
      expect(spec["imagePullSecrets"]).toEqual([{ name: "images" }, { name: "more-images" }]);
  });
});

test("a volume of two services is once in the job that migrates both; two of one name are refused by it", async () => {
  const volume = (from: string) => ({ extraVolumes: [{ name: "ca", configMap: { name: from } }] });
  const same = await objectsOf({ name: "", values: { services: { wallet: volume("one"), ledger: volume("one") } } });
  const names = podOf(same, "Job", "migrate").spec.volumes!.map(({ name }) => name);
  expect(names.filter((name) => name === "ca")).toHaveLength(1);
  const refusal = await refusalOf({ services: { wallet: volume("one"), ledger: volume("other") } });
  expect(refusal).toContain("two volumes named ca");
});

test("a row's volume stands beside those of all, and a variable of its own instead of the chart's", async () => {
  const values = {
    defaults: { extraVolumes: [{ name: "ca", configMap: { name: "authority" } }], env: { REGION: "eu" } },
    services: { wallet: { extraVolumes: [{ name: "more", emptyDir: {} }], env: { LOG_LEVEL: "debug", REGION: "us" } } },
  };
  const { spec } = podOf(await objectsOf({ name: "", values }), "Deployment", "wallet");
  expect(spec.volumes!.map(({ name }) => name)).toEqual(expect.arrayContaining(["ca", "more"]));
  const env = Object.fromEntries(spec.containers[0]!.env!.map(({ name, value }) => [name, value]));
  expect(env).toMatchObject({ LOG_LEVEL: "debug", REGION: "us" });
});

test("a private authority is mounted and trusted in every container that has the address of a database", async () => {
  const objects = await objectsOf({ name: "", example: "private-ca.yaml", values: {} });
  const isClient = ({ env = [] }: { env?: { name: string }[] }) =>
    env.some(({ name }) => name === "MONGODB_URI" || name === "REDIS_URL");
  const clients = podsOf(objects).flatMap((pod) => containersOf(pod).filter(isClient));
  // Nine services, and eight databases in the job.
  expect(clients).toHaveLength(17);
  for (const { env, volumeMounts } of clients) {
    expect(env).toContainEqual({ name: "NODE_EXTRA_CA_CERTS", value: "/etc/authority/ca.crt" });
    expect(volumeMounts).toContainEqual({ name: "authority", mountPath: "/etc/authority", readOnly: true });
  }
  const to = JSON.stringify(
    ofKind(objects, "NetworkPolicy").find(({ metadata }) => metadata.name === "manilla-hook-migrate"),
  );
  expect(to).toContain('"app.kubernetes.io/name":"percona-server-mongodb"');
  expect(to).not.toContain("0.0.0.0/0");
});

describe("a job is never changed, which Kubernetes would refuse", () => {
  const changes: [string, Values][] = [
    ["another image", { image: { tag: "2" } }],
    ["resources", { migrations: { resources: { limits: { memory: "512Mi" } } } }],
    ["a variable", { defaults: { env: { REGION: "eu" } } }],
    ["a variable of one service", { services: { wallet: { env: { REGION: "eu" } } } }],
    ["a toleration", { defaults: { tolerations: placement.tolerations } }],
    ["an annotation", { defaults: { podAnnotations: placement.podAnnotations } }],
    ["a common label", { commonLabels: { a: "b" } }],
    ["a pull secret", { image: { pullSecrets: ["images"] } }],
    ["waiting", { migrations: { bootWaitSeconds: 30, deadlineSeconds: 60 } }],
    ["fewer services", { services: { investment: { enabled: false } } }],
    ["the log level", { logLevel: "debug" }],
  ];
  test.each(changes)("%s", async (_what, change) => {
    const [before, after] = [await objectsOf({ name: "", values: everyPod }), (await render(merged(change))).objects];
    const jobs = (objects: readonly KubeObject[]) =>
      new Map(ofKind(objects, "Job").map((job) => [job.metadata.name, job.spec]));
    const [old, changed] = [jobs(before), jobs(after)];
    let differing = 0;
    for (const [name, spec] of changed) {
      if (old.has(name)) expect([name, spec]).toEqual([name, old.get(name)]);
      else differing += 1;
    }
    expect(differing).toBeGreaterThan(0);
  });

  const merged = (change: Values): Values => ({ ...everyPod, ...change });
});

test("OpenShift: no pod and no container says which user it is", async () => {
  const pods = podsOf(await objectsOf({ name: "", example: "openshift.yaml", values: everyPod }));
  const stated = pods.flatMap((pod) => [
    pod.spec["securityContext"],
    ...containersOf(pod).map((one) => one.securityContext),
  ]);
  expect(stated.flatMap((one) => Object.keys(one))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(runAsUser|runAsGroup|fsGroup)$/)]),
  );
});

test("dual stack: every Service has both families, and every process listens on both", async () => {
  const objects = await objectsOf({ name: "", example: "dual-stack.yaml", values: everyPod });
  const services = ofKind(objects, "Service");
  for (const { metadata, spec } of services)
    expect([metadata.name, spec.ipFamilyPolicy]).toEqual([metadata.name, "PreferDualStack"]);
  const hosts = podsOf(objects).flatMap((pod) =>
    containersOf(pod).flatMap(({ env = [] }) => env.filter(({ name }) => name === "HOST")),
  );
  expect(hosts).toEqual(Array.from({ length: 10 }, () => ({ name: "HOST", value: "::" })));
  expect(podOf(objects, "StatefulSet", "mongodb").spec.containers[0]!.args).toContain("--ipv6");
  expect(podOf(objects, "StatefulSet", "redis").spec.containers[0]!.args).toContain("::");
});

test("production: addresses of clients are theirs behind the Ingress, which takes the payout network's callbacks too", async () => {
  const objects = await objectsOf({ name: "", example: "production.yaml", values: {} });
  const env = podOf(objects, "Deployment", "gateway").spec.containers[0]!.env!;
  expect(env).toContainEqual({ name: "TRUSTED_PROXY_HOPS", value: "1" });
  const [ingress] = ofKind(objects, "Ingress");
  const hosts = (ingress!.spec.rules as { host: string }[]).map(({ host }) => host);
  expect(hosts).toEqual(["bank.example.com", "other-bank.example.com", "callbacks.example.com"]);
  expect(ingress!.spec.tls[0].hosts).toEqual(hosts);
});

test("names are resolved by the cluster's DNS and by NodeLocal DNS, under every policy that lets anything out", async () => {
  const policies = ofKind(await objectsOf({ name: "", values: everyPod }), "NetworkPolicy");
  const dns = policies.filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('"protocol":"UDP","port":53'));
  expect(dns.length).toBeGreaterThan(10);
  for (const { spec } of dns) expect(JSON.stringify(spec.egress)).toContain('"cidr":"169.254.20.10/32"');
  const refusal = await refusalOf({
    mongodb: { external: { existingSecret: "m", cidrs: [] }, embedded: { enabled: false } },
  });
  expect(refusal).toContain("cidrs must name an address");
});

test("a ServiceAccount that is there is used, and none is made", async () => {
  const values = { services: { wallet: { serviceAccountName: "of-the-bank" } } };
  const objects = await objectsOf({ name: "", values });
  expect(podOf(objects, "Deployment", "wallet").spec.serviceAccountName).toBe("of-the-bank");
  expect(ofKind(objects, "ServiceAccount").map(({ metadata }) => metadata.name)).not.toContain("manilla-wallet");
});

const external = (server: string, isEmbedded: boolean) => ({
  [server]: { external: { existingSecret: "of-the-bank" }, embedded: { enabled: isEmbedded } },
});
const wallet = (row: Values): Values => ({ services: { wallet: row } });
const memory = (request: string, limit: string) => ({
  resources: { requests: { memory: request }, limits: { memory: limit } },
});

test.each<[string, Values, string[]]>([
  ["a heap above the limit", { defaults: { heapMb: 400 } }, ["heapMb 400", "youngMb", "limits.memory 384Mi"]],
  [
    "a heap of one service",
    wallet({ heapMb: 350 }),
    ["the heap of wallet", "heapMb 350", "youngMb 16", "services.wallet"],
  ],
  ["a limit below the heap", wallet(memory("100M", "0.2Gi")), ["the heap of wallet", "limits.memory 0.2Gi"]],
  [
    "fewest above most",
    { defaults: { autoscaling: { minReplicas: 11 } } },
    ["autoscaling.minReplicas 11", "autoscaling.maxReplicas 10"],
  ],
  ["MongoDB twice", external("mongodb", true), ["mongodb.external.existingSecret", "mongodb.embedded.enabled"]],
  ["Redis twice", external("redis", true), ["redis.external.existingSecret", "redis.embedded.enabled"]],
  ["no secret", { mongodb: { embedded: { enabled: false } } }, ["mongodb.external.existingSecret"]],
  ["a request above its limit", wallet(memory("513Mi", "0.5Gi")), ["services.wallet.resources.requests.memory 513Mi"]],
  [
    "cores above their limit",
    { migrations: { resources: { requests: { cpu: 2 }, limits: { cpu: "1500m" } } } },
    ["migrations.resources.requests.cpu 2"],
  ],
  ["no time to drain", { defaults: { preStopSeconds: 45 } }, ["preStopSeconds 45", "terminationGracePeriodSeconds 45"]],
  [
    "no pod to roll with",
    { defaults: { rollingUpdate: { maxSurge: 0 } } },
    ["rollingUpdate.maxSurge", "maxUnavailable"],
  ],
  ["certificates renewed too late", { tls: { days: 90 } }, ["tls.renewAfterDays is 90", "tls.days 90"]],
])("%s is refused by the names of the values, before anything is made", async (_what, values, names) => {
  const refusal = await refusalOf(values);
  for (const name of names) expect(refusal).toContain(name);
});

test("what an install asks of a node is what its page says, by the page's own values", async () => {
  const page = readFileSync(join(projectRoot(), "docs", "operations", "install.md"), "utf8");
  const rows = [...page.matchAll(/^\| (?:the chart's own|`([\w-]+\.yaml)`) +\| ([\d,]+)m +\| ([\d,]+) Mi +\|/gm)];
  expect(rows.map(([, file]) => file)).toEqual([undefined, "try-out.yaml", "two-cores.yaml"]);
  for (const [, file, cpu, memoryMi] of rows) {
    const total = totalOf((await render({}, file)).objects);
    expect([file, total]).toEqual([file, { cpu: whole(cpu), memoryMi: whole(memoryMi) }]);
    // What the system's own pods take of two cores.
    if (file === "two-cores.yaml") expect(total.cpu).toBeLessThanOrEqual(1_500);
  }
});

const whole = (text = "") => Number(text.replaceAll(",", ""));

/**
 * What the pods that stay ask for together: of Deployments with their fewest
 * replicas, and of StatefulSets.
 */
function totalOf(objects: readonly KubeObject[]) {
  const fewest = new Map(
    ofKind(objects, "HorizontalPodAutoscaler").map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas]),
  );
  const total = { cpu: 0, memoryMi: 0 };
  for (const { kind, metadata, spec } of objects.filter((one) => ["Deployment", "StatefulSet"].includes(one.kind))) {
    const { containers, initContainers = [] } = spec.template.spec as PodOf["spec"];
    const asking = [...containers, ...initContainers.filter((one) => one["restartPolicy"] === "Always")];
    const replicas = (kind === "Deployment" ? fewest.get(metadata.name) : undefined) ?? spec.replicas;
    for (const { resources } of asking) {
      total.cpu += replicas * Number(/^(\d+)m$/.exec(resources.requests.cpu)![1]);
      total.memoryMi += replicas * Number(/^(\d+)Mi$/.exec(resources.requests.memory)![1]);
    }
  }
  return total;
}

test("whoever seeds waits for the services, and a busy event loop is no reason to end a process", async () => {
  const objects = await objectsOf({ name: "", values: { seed: { enabled: true } } });
  const seed = podOf(objects, "Job", "seed").spec.containers[0]!;
  expect(seed.env).toContainEqual({ name: "BOOT_WAIT_S", value: "300" });
  for (const { metadata, spec } of ofKind(objects, "Deployment").filter(
    (one) => !one.metadata.name.endsWith("partner"),
  ))
    expect([metadata.name, spec.template.spec.containers[0].livenessProbe]).toMatchObject([
      metadata.name,
      { tcpSocket: { port: "admin" } },
    ]);
});

test("probes are set one by one, for all or for one", async () => {
  const values = {
    defaults: { probes: { readiness: { failureThreshold: 9 } } },
    services: { ledger: { probes: { startup: { failureThreshold: 900 } } } },
  };
  const { spec } = podOf(await objectsOf({ name: "", values }), "Deployment", "ledger");
  expect(spec.containers[0]).toMatchObject({
    readinessProbe: { failureThreshold: 9, periodSeconds: 5, timeoutSeconds: 3 },
    startupProbe: { failureThreshold: 900, periodSeconds: 1 },
    livenessProbe: { failureThreshold: 6 },
  });
});

test("further objects are part of the release: as they are, or rendered where they are a text", async () => {
  const template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '{{ .Release.Name }}-more'";
  const rule = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "as-it-is" },
    data: { text: "{{ $labels.pod }}" },
  };
  const objects = await objectsOf({ name: "", values: { extraObjects: [template, rule] } });
  expect(objects).toContainEqual(rule);
  expect(objects.map(({ metadata }) => metadata.name)).toContain("manilla-more");
});
