import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectRoot } from "../local/project.js";
import { serviceTable } from "../local/service-table.js";

const file = (...path: string[]) => readFileSync(join(projectRoot(), ...path), "utf8");
const words = z.array(z.string()).nonempty();

// What of the Compose specification this file uses; a key that is none of it is a mistake.
const service = z.strictObject({
  image: z.string().regex(/^[\w./-]+(:[\w.-]+)?$/),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  command: words.optional(),
  entrypoint: words.optional(),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string()).optional(),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.literal("CMD")], z.string()),
      interval: z.string().regex(/^\d+s$/),
      start_period: z.string().regex(/^\d+s$/),
    })
    .optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(["service_started", "service_healthy", "service_completed_successfully"]) }),
    )
    .optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  volumes: z.array(z.string().regex(/^[a-z]+:\/[a-z/]+$/)).optional(),
  tmpfs: z.array(z.string().startsWith("/")).optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  init: z.boolean().optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
});
const compose = z
  .strictObject({
    name: z.string(),
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(file("compose.yaml")));
const { mongodb, redis, volume, manilla } = compose.services as Record<string, z.infer<typeof service>>;
const values = parse(file("charts", "manilla", "values.yaml")) as Record<
  "mongodb" | "redis",
  { embedded: { image: { repository: string; tag: string } } }
>;
const imageOf = (which: "mongodb" | "redis") => {
  const { repository, tag } = values[which].embedded.image;
  return `docker.io/library/${repository}:${tag}`;
};

const chartMongodb = file("charts", "manilla", "templates", "mongodb.yaml");
const parametersOf = (command: readonly string[]) =>
  command.flatMap((word) => /^--setParameter=(.*)$/.exec(word)?.[1] ?? []).toSorted();

test("what it names is there: volumes, services that are waited for, and those that are waited for to be healthy say how", () => {
  for (const { volumes = [], depends_on: others = {} } of Object.values(compose.services)) {
    for (const one of volumes) expect(Object.keys(compose.volumes)).toContain(one.split(":")[0]);
    for (const [name, { condition }] of Object.entries(others)) {
      expect(Object.keys(compose.services)).toContain(name);
      if (condition === "service_healthy") expect(compose.services[name]?.healthcheck).toBeDefined();
    }
  }
  expect(existsSync(join(projectRoot(), manilla?.build?.dockerfile ?? ""))).toBe(true);
});

test("its servers are those of the chart, with the settings that money needs", () => {
  expect([mongodb?.image, redis?.image, volume?.image]).toEqual([
    imageOf("mongodb"),
    imageOf("redis"),
    imageOf("redis"),
  ]);
  const parameters = parametersOf(mongodb?.command ?? []);
  expect(parameters).toEqual(["minSnapshotHistoryWindowInSeconds=1", "transactionLifetimeLimitSeconds=5"]);
  expect(parametersOf(chartMongodb.match(/--\S+/g) ?? [])).toEqual(expect.arrayContaining(parameters));
  for (const command of [mongodb?.command?.join(" "), chartMongodb]) expect(command).toContain("--slowOpSampleRate=0");
  expect(redis?.command?.join(" ")).toContain("--maxmemory-policy noeviction");
  const replicaSet = mongodb?.command?.[(mongodb.command.indexOf("--replSet") ?? 0) + 1] ?? "";
  expect(manilla?.environment?.["MONGODB_URI"]).toBe(`mongodb://mongodb:27017/?replicaSet=${replicaSet}`);
  expect(mongodb?.healthcheck?.test.join(" ")).toContain(`_id: '${replicaSet}'`);
  expect(manilla?.environment?.["REDIS_URL"]).toBe("redis://redis:6379");
});

test("the install guide says beside them what they were tried on, and the workflow tries MongoDB's", () => {
  const guide = file("docs", "operations", "install.md");
  const workflow = parse(file(".github", "workflows", "servers.yaml")) as {
    jobs: { test: { strategy: { matrix: { mongodb: string[] } } } };
  };
  for (const which of ["mongodb", "redis"] as const) {
    const { repository, tag } = values[which].embedded.image;
    expect(guide).toContain(`| \`${repository}:${tag}\``);
  }
  expect(workflow.jobs.test.strategy.matrix.mongodb).toContain(values.mongodb.embedded.image.tag);
});

test("the product runs as the image's user, who owns its volume, on a root that nobody may write", () => {
  const user = /^USER (\S+)$/m.exec(file("deploy", "Dockerfile"))?.[1] ?? "";
  expect(volume?.entrypoint).toEqual(["chown", user, manilla?.environment?.["DATA_DIR"]]);
  expect(manilla?.volumes).toEqual([`${volume?.volumes?.[0]?.split(":")[0]}:${manilla?.environment?.["DATA_DIR"]}`]);
  expect(manilla).toMatchObject({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"] });
});

test("it starts every process of the service table, by the runner that npm start is, and says only what that reads", () => {
  const entry = /^import\('\/app\/dist\/(.*)\.js'\)/.exec(manilla?.command?.[1] ?? "")?.[1];
  expect(entry).toBe("deploy/local/main");
  const runner = ["main", "cluster-context", "cluster-file"]
    .map((name) => file("deploy", "local", `${name}.ts`))
    .join("\n");
  for (const variable of Object.keys(manilla?.environment ?? {})) {
    expect([variable, new RegExp(`env\\??\\.${variable}\\b`).test(runner)]).toEqual([variable, true]);
  }
  // The runner starts rows: nothing here names one, so that a service that is new needs no line.
  for (const { name } of serviceTable) expect(Object.keys(compose.services)).not.toContain(name);
  expect(manilla?.ports).toEqual(["127.0.0.1:8080:8080"]);
});
