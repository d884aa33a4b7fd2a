import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { projectRoot } from "../../deploy/local/project.js";
import { findHelm } from "./helm.js";

const run = promisify(execFile);
export const chart = join(projectRoot(), "charts", "manilla");

export type Values = Record<string, unknown>;

/** What these tests read of an object of Kubernetes. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; labels?: Labels; annotations?: Labels };
  // Each kind has its own.
  readonly spec?: any;
  readonly [field: string]: any;
}

export type Labels = Record<string, string>;

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: EnvVar[];
  envFrom?: object[];
  volumeMounts?: { name: string; mountPath: string }[];
  securityContext?: Record<string, unknown>;
  [field: string]: any;
}

export interface Volume {
  name: string;
  secret?: { secretName: string; items?: { key: string }[] };
  [source: string]: any;
}

/** A pod that an object starts, with the object's name. */
export interface PodOf {
  owner: string;
  metadata: { labels: Labels; annotations?: Labels };
  spec: {
    containers: Container[];
    initContainers?: Container[];
    volumes?: Volume[];
    serviceAccountName?: string;
    [field: string]: any;
  };
}

interface Rendered {
  text: string;
  objects: readonly KubeObject[];
}

const rendered = new Map<string, Promise<Rendered>>();

/**
 * Renders the chart as an install, without a cluster: a file of `examples/` first, `values` over
 * it. Once for the same values.
 */
export function render(values: Values = {}, example?: string): Promise<Rendered> {
  const key = JSON.stringify([values, example]);
  const found = rendered.get(key) ?? renderAnew(values, example);
  rendered.set(key, found);
  return found;
}

/** `more` are further words for helm, as `--is-upgrade`. */
export async function renderAnew(values: Values, example?: string, more: readonly string[] = []): Promise<Rendered> {
  const file = join(mkdtempSync(join(tmpdir(), "manilla-values-")), "values.json");
  writeFileSync(file, JSON.stringify(values));
  const files = [...(example === undefined ? [] : [join(chart, "examples", example)]), file];
  const given = files.flatMap((one) => ["-f", one]);
  const words = ["template", "manilla", chart, "-n", "money", "--kube-version", "1.34.0", ...given, ...more];
  const { stdout } = await run(await findHelm(), words, { maxBuffer: 64 * 1024 * 1024 });
  const documents = parseAllDocuments(stdout, { uniqueKeys: true });
  const faults = documents.flatMap(({ errors }) => errors);
  if (faults.length > 0) throw faults[0]!;
  const objects = documents.map((document) => document.toJS() as KubeObject | null).filter((one) => one !== null);
  return { text: stdout, objects };
}

/** What helm says of values that it refuses. Throws where it renders them. */
export async function refusalOf(values: Values): Promise<string> {
  const printed = await render(values).then(
    () => undefined,
    (error: { stderr?: string }) => error.stderr ?? "",
  );
  if (printed === undefined) throw new Error("these values were rendered");
  return printed;
}

/** Every pod that objects start, of whatever kind they are. */
export function podsOf(objects: readonly KubeObject[]): PodOf[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const owner = `${kind} ${metadata.name}`;
    if (kind === "Pod") return [{ owner, metadata: metadata as PodOf["metadata"], spec }];
    const template = kind === "CronJob" ? spec.jobTemplate.spec.template : spec?.template;
    return template?.spec?.containers === undefined
      ? []
      : [{ owner, metadata: template.metadata, spec: template.spec }];
  });
}

export const containersOf = ({ spec }: PodOf): Container[] => [...(spec.initContainers ?? []), ...spec.containers];

/** The pods whose name ends so: `pod(objects, "Job", "migrate")`. */
export function podOf(objects: readonly KubeObject[], kind: string, name: string): PodOf {
  const found = podsOf(objects).filter(({ owner }) =>
    new RegExp(`^${kind} manilla-${name}(-[0-9a-f]{10})?$`).test(owner),
  );
  if (found.length !== 1) throw new Error(`${found.length} pods of ${kind} ${name}`);
  return found[0]!;
}
