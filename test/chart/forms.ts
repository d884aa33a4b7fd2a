import { readdirSync } from "node:fs";
import { join } from "node:path";
import { chart, type Values } from "./render.js";

/** One way to install: an example, values over it, or both. */
export interface Form {
  name: string;
  example?: string;
  values: Values;
}

export const examples = readdirSync(join(chart, "examples"));

/** Values that turn on every pod that the chart can start. */
export const everyPod: Values = {
  seed: { enabled: true },
  operator: { enabled: true, verification: { enabled: true, tenants: ["demo"] } },
};

/**
 * Settings that say where a pod runs and as whom, each with a value that the chart does not have.
 */
export const placement = {
  podLabels: { "team.example/owner": "payments" },
  podAnnotations: { "mesh.example/inject": "no" },
  priorityClassName: "money",
  topologySpread: ["example.com/rack"],
  nodeSelector: { "example.com/pool": "money" },
  tolerations: [{ key: "example.com/money", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "example.com/disk", operator: "In", values: ["fast"] }] }],
      },
    },
  },
  podSecurityContext: { supplementalGroups: [4711] },
};

/** What a container gets: environment, volumes and what runs before it. */
export const contents = {
  env: { PROXY_OF_THE_BANK: "http://proxy.example" },
  extraEnv: [{ name: "REGION", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
  envFrom: [{ configMapRef: { name: "of-the-bank" } }],
  extraVolumes: [{ name: "ca", configMap: { name: "authority" } }],
  extraVolumeMounts: [{ name: "ca", mountPath: "/etc/authority", readOnly: true }],
  initContainers: [{ name: "vault-agent", image: "agent:1", restartPolicy: "Always" }],
};

export const everything: Form = {
  name: "everything set on every pod",
  values: {
    ...everyPod,
    commonLabels: { "cost.example/centre": "4711" },
    image: { pullSecrets: ["images", { name: "more-images" }] },
    defaults: { ...placement, ...contents, extraContainers: [{ name: "beside", image: "beside:1" }] },
  },
};

export const forms: readonly Form[] = [
  { name: "the chart's own values", values: {} },
  ...examples.map((example) => ({ name: example, example, values: {} })),
  { name: "every pod", values: everyPod },
  everything,
];
