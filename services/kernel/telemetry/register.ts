// The first import of every main.ts: traces are set up before the drivers load, and only where an
// exporter is configured.
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { context, propagation, trace } from "@opentelemetry/api";
import { beginTracing } from "./tracing.js";

const require = createRequire(import.meta.url);

if (process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] || process.env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) startTracing();

function startTracing(): void {
  const { BatchSpanProcessor, TracerProvider } =
    require("@opentelemetry/sdk-trace") as typeof import("@opentelemetry/sdk-trace");
  const { OTLPTraceExporter } =
    require("@opentelemetry/exporter-trace-otlp-http") as typeof import("@opentelemetry/exporter-trace-otlp-http");
  const { AsyncLocalStorageContextManager } =
    require("@opentelemetry/context-async-hooks") as typeof import("@opentelemetry/context-async-hooks");
  const { W3CTraceContextPropagator } = require("@opentelemetry/core") as typeof import("@opentelemetry/core");
  const { resourceFromAttributes } = require("@opentelemetry/resources") as typeof import("@opentelemetry/resources");

  // dist/services/wallet/main.js is "wallet", dist/gateway/main.js "gateway".
  const service = process.env["OTEL_SERVICE_NAME"] ?? basename(dirname(process.argv[1] ?? "manilla"));
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: Number(process.env["OTEL_BSP_SCHEDULE_DELAY"] ?? 2_000),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    spanProcessors: [processor],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  instrumentDrivers(provider);
  beginTracing();
  process.once("beforeExit", () => void provider.forceFlush());
}

function instrumentDrivers(tracerProvider: import("@opentelemetry/api").TracerProvider): void {
  const { registerInstrumentations } =
    require("@opentelemetry/instrumentation") as typeof import("@opentelemetry/instrumentation");
  const { GrpcInstrumentation } =
    require("@opentelemetry/instrumentation-grpc") as typeof import("@opentelemetry/instrumentation-grpc");
  const { MongoDBInstrumentation } =
    require("@opentelemetry/instrumentation-mongodb") as typeof import("@opentelemetry/instrumentation-mongodb");
  const { IORedisInstrumentation } =
    require("@opentelemetry/instrumentation-ioredis") as typeof import("@opentelemetry/instrumentation-ioredis");
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new GrpcInstrumentation(),
      // Keys of commands are shown, values never: they hold personal data.
      new MongoDBInstrumentation({ enhancedDatabaseReporting: false }),
      new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    ],
  });
  // An ES import of a CommonJS module passes the hook by; loaded here first, it is the patched one
  // that is imported.
  require("@grpc/grpc-js");
  require("mongodb");
  require("ioredis");
}
