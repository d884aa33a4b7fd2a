import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients } from "../../deploy/local/operator-clients.js";
import { serviceTable } from "../../deploy/local/service-table.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { createEdgeClient } from "../support/edge-client.js";
import { startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
  attributes: Record<string, unknown>;
}

/** As much of an OTLP collector as tells what came: POST /v1/traces with JSON. */
async function startCollector(): Promise<{ url: string; spans: Span[]; server: Server }> {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as any;
      for (const { resource, scopeSpans } of body.resourceSpans) {
        const service = attributesOf(resource)["service.name"] as string;
        for (const span of scopeSpans.flatMap((scope: any) => scope.spans)) {
          spans.push({ ...span, service, attributes: attributesOf(span) });
        }
      }
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, server };
}

function attributesOf({ attributes }: any): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: any) => [key, Object.values(value)[0]]));
}

jest.setTimeout(90_000);

test("one trace leads from the edge over gRPC to MongoDB and Redis, and its id stands in the log", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-trace-"));
  const collector = await startCollector();
  const nowhere = "127.0.0.1:1";
  const cluster = (await startBuiltCluster({
    dataDir,
    port: 0,
    quiet: true,
    services: serviceTable.filter(({ name }) => name === "identity"),
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" },
    processEnv: {
      gateway: {
        COMPLIANCE_ADDRESS: nowhere,
        REMITTANCE_ADDRESS: nowhere,
        WALLET_ADDRESS: nowhere,
        LEDGER_ADDRESS: nowhere,
        INVESTMENT_ADDRESS: nowhere,
        LENDING_ADDRESS: nowhere,
        EVENTS_ADDRESS: nowhere,
      },
    },
  })) as Cluster;
  try {
    const { identity = "" } = cluster.file.addresses;
    const operator = await createOperatorClients({
      identity,
      compliance: nowhere,
      remittance: nowhere,
      wallet: nowhere,
      ledger: nowhere,
      investment: nowhere,
      lending: nowhere,
      operatorKeyFile: cluster.file.keys.operatorKeyFile,
    });
    const preference = { baseCurrency: "USD", currencies: ["USD"], countries: ["USA"], timeZone: "UTC", locale: "en" };
    const call = outgoing({ tenantId: "traced", interactionId: "trace-set-up" });
    const hosts = ["localhost"];
    await operator.identity.putTenant(
      { tenant: { tenantId: "traced", name: "Traced", hosts, preference: { ...preference, agentScope: "MANAGED" } } },
      call,
    );
    const email = "manager@traced.example";
    const password = "A-Long-Password-1";
    await operator.identity.createStaffUser(
      { idempotencyKey: "one", email, password, role: "ROLE_MANAGER", name: "Tracy Manager" },
      call,
    );
    operator.close();

    const client = createEdgeClient(cluster.baseUrl);
    expect((await client.login({ email, password })).status).toBe(200);
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const path = "/api/v6/services/admin/organisation-preference-management/fetch-organisaction-preference";
    // The keys that tokens are verified with are fetched by whoever comes first.
    expect((await client.send("GET", path)).status).toBe(200);
    const answer = await client.send("GET", path, {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    expect(answer.status).toBe(200);

    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
    /** From MongoDB upwards to what the client named, as far as has arrived. */
    const wayOf = (spans: readonly Span[]) => {
      const byId = new Map(spans.map((span) => [span.spanId, span]));
      const way: string[] = [];
      // The look-up of a host may be among them, where the edge's memory of it has just run out.
      const find = spans.find((span) => isMongo(span) && span.name === "find tenants");
      for (let at: Span | undefined = find; at; at = byId.get(at.parentSpanId ?? ""))
        way.unshift(`${at.service}: ${at.name}`);
      return way;
    };
    const ofRedis = ({ service, attributes }: Span) => service === "gateway" && systemOf(attributes) === "redis";
    // Each process sends its spans as they end, the outer ones in a later batch.
    await waitFor(() => wayOf(ofTrace())[0]?.startsWith("gateway: GET /") && ofTrace().some(ofRedis), {
      timeoutMs: 20_000,
      what: "the spans of the request",
    });
    const spans = ofTrace();
    expect(wayOf(spans)).toEqual([
      `gateway: GET ${path}`,
      "gateway: grpc.identity.v1.IdentityService/GetOrganisationPreference",
      "identity: grpc.identity.v1.IdentityService/GetOrganisationPreference",
      "identity: find tenants",
    ]);
    expect(JSON.stringify(collector.spans)).not.toContain(password);
    expect(JSON.stringify(collector.spans)).not.toContain(email);
    const isOfTrace = (line: string) => line.includes(`"traceId":"${traceId}"`) && line.includes('"request"');
    // The gateway writes its lines together, a tenth of a second late.
    await waitFor(
      () =>
        readFileSync(join(dataDir, "logs", "gateway.log"), "utf8")
          .split("\n")
          .some(isOfTrace) || undefined,
      { timeoutMs: 10_000, what: "the request's line in the log" },
    );
  } finally {
    await cluster.stop();
    collector.server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

function isMongo({ attributes }: Span): boolean {
  return systemOf(attributes) === "mongodb";
}

// The convention's name changed; instrumentations are on their way.
function systemOf(attributes: Record<string, unknown>): unknown {
  return attributes["db.system.name"] ?? attributes["db.system"];
}
