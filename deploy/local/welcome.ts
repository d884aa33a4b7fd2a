import { z } from "zod";

const demoFile = z.object({
  tenants: z.array(
    z.object({
      name: z.string(),
      users: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
    }),
  ),
});

/**
 * What a person reads when the cluster is ready: where it answers, who can log in, and a first
 * call.
 */
export function welcome(baseUrl: string, demoPath: string, demo: unknown): string {
  const ready = `ready: ${baseUrl}`;
  const parsed = demoFile.safeParse(demo);
  const tenant = parsed.data?.tenants[0];
  if (!tenant) return ready;
  const width = Math.max(...tenant.users.map((user) => user.email.length));
  const logins = tenant.users.map((user) => `  ${user.role.padEnd(9)} ${user.email.padEnd(width)}  ${user.password}`);
  const first = tenant.users.find((user) => user.role === "CUSTOMER") ?? tenant.users[0];
  const body = JSON.stringify({ email: first?.email, currentPassword: first?.password });
  const call = [
    `  curl -X PUT ${baseUrl}/api/v6/services/securitymanagement/login \\`,
    `    -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`,
  ];
  return [
    ready,
    "",
    `Logins of ${tenant.name} (all in ${demoPath}):`,
    ...logins,
    "",
    "Try:",
    ...call,
    "or `npm run demo` in another terminal. Ctrl-C stops everything; data stays.",
    `The console, for staff: ${baseUrl}/console`,
    `Every operation: ${baseUrl}/docs (Swagger UI), ${baseUrl}/openapi.json. The sandbox: ${baseUrl}/sandbox/api/…`,
    "On Kubernetes: Helm chart charts/manilla, docs/operations/README.md.",
  ].join("\n");
}
