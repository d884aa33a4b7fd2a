// The scripted server of the conformance cases: `node server.mjs [port]`, or
// `startServer()`. The README describes it.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Starts on the loopback. `files` gives folders to a browser: the first part of a path → folder.
 */
export async function startServer({ port = 0, files = {} } = {}) {
  const runs = new Map();
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain", connection: "close" });
      response.end(String(error));
    });
  });
  async function answer(request, response) {
    const [, place, name, ...rest] = request.url.split("/");
    if (place === "control") return control(name, rest.join("/"), request, response);
    if (place === "runs" && runs.has(name)) return runs.get(name).take(`/${rest.join("/")}`, request, response);
    return file(files, request.url, response);
  }
  async function control(name, what, request, response) {
    const send = (value) => {
      response.writeHead(200, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(value));
    };
    if (request.method === "PUT") {
      runs.set(name, createRun(JSON.parse(await textOf(request))));
      return send({});
    }
    const run = runs.get(name);
    if (!run) throw new Error(`no run ${name} was begun`);
    if (request.method === "DELETE") {
      runs.delete(name);
      run.end();
      return send({});
    }
    const count = /^received\?count=(\d+)$/.exec(what)?.[1];
    if (count !== undefined) await run.received(Number(count));
    return send(run.report());
  }
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(resolve));
    },
  };
}

function createRun(rules) {
  const received = [];
  const waiting = [];
  const held = new Set();
  const given = rules.map(() => 0);
  const effects = new Map();
  return {
    report: () => ({ received, effects: effects.size }),
    end: () => held.forEach((socket) => socket.destroy()),
    received: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) return resolve();
        waiting.push({ count, resolve });
      }),
    async take(path, request, response) {
      const { method, headers } = request;
      const rule = rules.findIndex(
        ({ on, token }) =>
          (on === undefined || on === `${method} ${path.split("?")[0]}`) &&
          (token === undefined || token === headers["x-auth-token"]),
      );
      const { answers = [], keeps } = rules[rule] ?? {};
      const next = keeps
        ? keep(effects, keeps, headers["x-idempotency-key"])
        : answers[Math.min((given[rule] += 1), answers.length) - 1];
      const one = { method, path, headers, atMs: performance.now(), body: "" };
      received.push(one);
      if (next?.drop === "before") return drop(request, waiting, received);
      one.body = await textOf(request);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve();
      if (next === undefined) return say(response, { refusal: { status: 500, code: "NO_RULE", message: "no rule" } });
      if (next.delayMs) await new Promise((resolve) => setTimeout(resolve, next.delayMs));
      if (next.hang) return void held.add(request.socket);
      if (next.drop === "after") return request.socket.destroy();
      return say(response, next);
    },
  };
}

/** Counts an effect for each key; the first `lose` answers to a key are lost after it. */
function keep(effects, { lose = 0, data = '{"id":"e-1"}' }, key) {
  if (key === undefined) return { refusal: { status: 400, code: "HEADER_REQUIRED", message: "no key" } };
  const times = (effects.get(key) ?? 0) + 1;
  effects.set(key, times);
  return times <= lose ? { drop: "after" } : { data, headers: times > 1 ? { "idempotency-replayed": "true" } : {} };
}

function drop(request, waiting, received) {
  request.socket.destroy();
  for (const { count, resolve } of waiting) if (received.length >= count) resolve();
}

function say(response, { status, headers = {}, data, text, refusal, drop }) {
  const body =
    text ??
    (refusal
      ? JSON.stringify({ ...refusal, status: "FAILED" })
      : `{"status":"SUCCESS","data":${data ?? "{}"},"message":"done"}`);
  // On a connection that was used before, a browser sends again by
  // itself what it lost the answer to.
  const all = { "content-type": "application/json", connection: "close" };
  for (const [name, value] of Object.entries(headers)) {
    all[name] = typeof value === "string" ? value : new Date(Date.now() + value.dateInS * 1000).toUTCString();
  }
  response.writeHead(status ?? refusal?.status ?? 200, all);
  if (drop !== "middle") return response.end(body);
  response.write(body.slice(0, body.length / 2), () => response.socket.destroy());
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };

async function file(folders, url, response) {
  if (url === "/") {
    response.writeHead(200, { "content-type": "text/html", connection: "close" });
    return response.end("<!doctype html><title>Conformance</title>");
  }
  const [, first, ...rest] = url.split("/");
  const folder = Object.hasOwn(folders, first) ? folders[first] : undefined;
  const path = folder && normalize(join(folder, ...rest));
  const content = path?.startsWith(folder + sep) ? await readFile(path).catch(() => undefined) : undefined;
  response.writeHead(content ? 200 : 404, {
    "content-type": types[extname(path ?? "")] ?? "text/plain",
    connection: "close",
  });
  return response.end(content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startServer({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${url}\n`);
}
