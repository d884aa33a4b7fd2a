import { context, propagation, SpanKind, SpanStatusCode, trace, type TextMapGetter } from "@opentelemetry/api";

// Without an exporter nothing here costs more than one look.
let isTracing = false;

/** Called by register.ts where an exporter is configured. */
export function beginTracing(): void {
  isTracing = true;
}

/** Trace and span of the work that runs now, for log lines; nothing where nothing is traced. */
export function traceFields(): { traceId?: string; spanId?: string } {
  if (!isTracing) return {};
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

const headerGetter: TextMapGetter<Record<string, string | string[] | undefined>> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

export interface RequestSpan {
  name(route: string): void;
  end(status: number): void;
}

/**
 * Runs the work of one HTTP request in a span that continues the client's trace (W3C Trace Context)
 * where it names one.
 */
export function inRequestSpan<T>(
  request: { method: string; headers: Record<string, string | string[] | undefined> },
  work: (span?: RequestSpan) => Promise<T>,
): Promise<T> {
  if (!isTracing) return work();
  const parent = propagation.extract(context.active(), request.headers, headerGetter);
  const { method } = request;
  const options = { kind: SpanKind.SERVER, attributes: { "http.request.method": method } };
  return trace.getTracer("manilla").startActiveSpan(method, options, parent, (span) =>
    work({
      name(route) {
        span.updateName(`${method} ${route}`);
        span.setAttribute("http.route", route);
      },
      end(status) {
        span.setAttribute("http.response.status_code", status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    }),
  );
}
