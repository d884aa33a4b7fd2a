// Does what a case says with the client, and compares what the caller saw and what the server
// received. Runs in Node and in browsers.
import { equal, matches, sameJson } from "./compare.mjs";

/**
 * Runs cases, `atOnce` at a time. `library` is the client's module, `serverUrl` the scripted
 * server. Resolves to what failed: `{ name, failures }` of each case that did, and how many ran.
 */
export async function runCases(library, { cases }, { serverUrl, atOnce = 1, inspect = String }) {
  const failed = [];
  const left = cases.entries();
  let ran = 0;
  const work = async () => {
    for (const [index, one] of left) {
      const failures = await runCase(library, one, { serverUrl, id: `${Date.now()}-${index}`, inspect });
      ran += 1;
      if (failures.length > 0) failed.push({ name: one.name, failures });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { ran, failed };
}

async function runCase(library, one, { serverUrl, id, inspect }) {
  const control = `${serverUrl}/control/${id}`;
  const failures = [];
  const context = {
    library,
    control,
    inspect,
    baseUrl: `${serverUrl}/runs/${id}`,
    told: [],
    secrets: [...(one.secrets ?? []), ...textsOf(one.client?.credentials)],
  };
  await fetch(control, { method: "PUT", body: JSON.stringify(one.server ?? []) });
  try {
    if (one.steps.some((step) => !("construct" in step || "unwrap" in step || "decimal" in step))) {
      context.client = clientOf(context, one.client);
    }
    for (const [index, step] of one.steps.entries()) {
      const seen = await many(step, () => doStep(context, step));
      const found = seen.flatMap((each) => judge(context, step.see ?? {}, each));
      failures.push(...[...new Set(found)].map((what) => `step ${index + 1}: ${what}`));
    }
    const report = await (await fetch(control)).json();
    failures.push(
      ...judgeReport(one.server_saw ?? {}, report),
      ...equal(one.sessions_told, context.told.length, "sessions_told"),
    );
  } catch (error) {
    failures.push(`the driver failed: ${error?.stack ?? error}`);
  }
  await fetch(control, { method: "DELETE" });
  return failures;
}

/** `times` calls, `atOnce` of them at a time; all at once where nothing is said. */
async function many({ times = 1, atOnce = times }, doOne) {
  const seen = [];
  const left = Array.from({ length: times }).values();
  const work = async () => {
    for (const _one of left) seen.push(await doOne());
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return seen;
}

function clientOf({ library, baseUrl, told }, { credentials = { apiToken: "token-1" }, ...options } = {}) {
  return new library.Manilla({
    baseUrl,
    credentials: Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, inTurn(value)])),
    // A busy machine is no reason to fail: a case that is about the deadline has its own.
    timeoutMs: 120_000,
    onSession: (session) => void told.push(session),
    ...options,
  });
}

/** A function that gives a list's items in turn, and rejects at its end; anything else as it is. */
function inTurn(value) {
  if (!Array.isArray(value)) return value;
  const left = value.values();
  return async () => {
    const { done, value: next } = left.next();
    if (done) throw new Error("asked once more than the case foresees");
    return next;
  };
}

/** What the caller saw: `{ value, meta, items, next }`, or `{ error }`. */
async function doStep(context, step) {
  const abort = step.abort && new AbortController();
  try {
    if ("construct" in step) return { value: void new context.library.Manilla(valueOf(context, step.construct)) };
    if ("decimal" in step) return { value: context.library.decimal(valueOf(context, step.decimal)) };
    if ("unwrap" in step) return { value: await unwrap(context, step.unwrap) };
    if ("reuse" in step) {
      const credentials = JSON.parse(JSON.stringify(context.client.session));
      context.client = clientOf(context, { credentials });
      return {};
    }
    const options = { ...valueOf(context, step.options ?? {}), ...(abort && { signal: abort.signal }) };
    const given = ["body", "query"].filter((part) => part in step).map((part) => valueOf(context, step[part]));
    // A client has one argument for a body or a query; options come after it.
    const [group, method] = (step.call ?? step.list).split(".");
    const begin = () => context.client[group][method](...(step.path ?? []), ...given, options);
    if (step.abort?.afterRequests === 0) abort.abort(new Error("left"));
    const doing = step.list ? readList(begin(), step) : readAnswer(begin());
    // It may end before it is waited for.
    doing.catch(() => undefined);
    if (step.abort?.afterRequests > 0) {
      await fetch(`${context.control}/received?count=${step.abort.afterRequests}`);
      abort.abort(new Error("left"));
    }
    return await doing;
  } catch (error) {
    return { error, isReason: abort !== undefined && error === abort.signal.reason };
  }
}

async function readAnswer(call) {
  const value = await call;
  return { value, meta: (await call.withResponse()).meta };
}

async function readList(list, { max, take, page }) {
  if (page) {
    const { items, next, meta } = await list.page();
    return { items, next, meta };
  }
  if (max !== undefined) return { items: await list.toArray({ max }) };
  const items = [];
  for await (const item of list) {
    items.push(item);
    if (items.length === take) break;
  }
  return { items };
}

async function unwrap({ library }, { body, headers, secrets, toleranceS, sign }) {
  const { secret, id, agoS = 0, body: signed = body } = sign ?? {};
  const given = sign ? await library.webhooks.sign(signed, secret, id, new Date(Date.now() - agoS * 1000)) : headers;
  return library.webhooks.unwrap(body, given, secrets, toleranceS === undefined ? {} : { toleranceS });
}

/** Values of the file's notation: `{ "$decimal": "1.00" }` and so on. */
function valueOf(context, value) {
  if (Array.isArray(value)) return value.map((item) => valueOf(context, item));
  if (typeof value !== "object" || value === null) return value;
  const [[kind, text] = []] = Object.entries(value);
  switch (kind) {
    case "$decimal":
      return context.library.decimal(text);
    case "$float":
      return Number(text);
    case "$int":
      return BigInt(text);
    case "$date":
      return new Date(text);
    default:
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, valueOf(context, member)]));
  }
}

function judge({ library, secrets, inspect, client }, see, seen) {
  const { error } = seen;
  if (error === undefined) {
    if (see.error || see.aborted) return [`no error came, but ${JSON.stringify(seen.value ?? seen.items)}`];
    return [
      ...("value" in see ? equal(see.value, seen.value, "value") : []),
      ...("items" in see ? equal(see.items, seen.items, "items") : []),
      ...("next" in see ? equal(see.next, seen.next ?? null, "next") : []),
      ...matches(see.meta, seen.meta, "meta"),
      ...matches(see.session, client?.session, "session"),
    ];
  }
  const texts = [String(error), error.message, error.stack, JSON.stringify(error), inspect(error)];
  const told = secrets.filter((secret) => texts.some((text) => text?.includes(secret)));
  const leaks = told.map((secret) => `the error's text has the secret ${secret}`);
  if (see.aborted) return [...leaks, ...(seen.isReason ? [] : [`it was not the signal's reason but ${error}`])];
  if (!see.error) return [...leaks, `an error came: ${inspect(error)}`];
  const { isA = [], ...rest } = see.error;
  const notA = isA.filter((name) => !(error instanceof library[name])).map((name) => `${error.name} is no ${name}`);
  const { message, status, code, errors, figures, retryAfterS, sent } = error;
  const view = { class: error.name, message, status, code, errors, figures, retryAfterS, sent };
  return [...leaks, ...notA, ...matches(rest, JSON.parse(JSON.stringify(view)), "error")];
}

function judgeReport(saw, { received, effects }) {
  const keys = received.map(({ headers }) => headers["x-idempotency-key"] ?? null);
  const ids = received.map(({ headers }) => headers["x-fapi-interaction-id"] ?? null);
  const counts = Object.fromEntries(
    Object.keys(saw.counts ?? {}).map((on) => [
      on,
      received.filter(({ method, path }) => `${method} ${path.split("?")[0]}` === on).length,
    ]),
  );
  const gaps = (saw.gaps_at_least_ms ?? []).flatMap((leastMs, index) => {
    const gapMs = received[index + 1]?.atMs - received[index]?.atMs;
    // Clocks of two programs may differ by their ticks.
    return gapMs >= leastMs - 20 ? [] : [`request ${index + 2} came after ${gapMs} ms, not ${leastMs}`];
  });
  const sent = (saw.sent ?? []).flatMap(({ body, ...rest }, index) => [
    ...matches(rest, received[index], `sent.${index}`),
    ...(body === undefined ? [] : sameJson(body, received[index]?.body, `sent.${index}.body`)),
  ]);
  return [
    ...matches(saw.requests, received.length, "requests"),
    ...matches(saw.counts, counts, "counts"),
    ...equal(saw.keys, saw.keys && lettersOf(keys), "keys"),
    ...equal(saw.interactions, saw.interactions && lettersOf(ids), "interactions"),
    ...matches(saw.effects, effects, "effects"),
    ...gaps,
    ...sent,
  ];
}

/** A, B, C… by first appearance; - for none. */
function lettersOf(values) {
  const known = [...new Set(values.filter((value) => value !== null))];
  return values.map((value) => (value === null ? "-" : String.fromCharCode(65 + known.indexOf(value)))).join(" ");
}

function textsOf(credentials) {
  const texts = Object.entries(credentials ?? { apiToken: "token-1" });
  return texts
    .filter(([name]) => name !== "email" && name !== "user")
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === "string");
}
