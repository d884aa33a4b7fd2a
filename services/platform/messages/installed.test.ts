import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { waitFor } from "../../../test/support/index.js";
import { laterWhileBusy } from "../../kernel/outbox/index.js";
import { mostCallsAtPartner, PartnerBusy } from "../../kernel/batching/bound.js";
import type { Installation } from "../plugins/installations.js";
import { createOpenPartners } from "../plugins/open-partners.js";
import { Refusal } from "../../kernel/refusal.js";
import { createInstalledMessages } from "./installed.js";
import type { Message } from "./message.js";
import { createSmsSender } from "./sms-sender.js";

const waiting: ServerResponse[] = [];
const received: string[] = [];
const service = createServer((request, response) => {
  request.resume().on("end", () => {
    received.push(request.url!);
    if (request.url === "/hangs") waiting.push(response);
    else response.writeHead(202).end();
  });
});
const sms = createSmsSender({ resolve: async () => [], allowedOf: () => ["http://127.0.0.1:*"] });
beforeAll(() => new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening)));
beforeEach(() => {
  waiting.length = 0;
  received.length = 0;
});
afterAll(async () => {
  sms.close();
  await new Promise((closed) => service.close(closed));
});

function installation(tenantId: string): Installation {
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/${tenantId}`;
  const configuration = { url, method: "POST", contentType: "application/json", body: "{}" };
  const rest = {
    name: "Ours",
    type: "http-sms",
    status: "ENABLED",
    secrets: {},
    missingSecrets: [],
    routes: [],
    revision: 1,
  };
  return { installationId: `of-${tenantId}`, configuration, ...rest };
}
function messages(noted: string[] = [], part: () => Partial<Installation> = () => ({})) {
  const notes = { note: (tenantId: string) => void noted.push(tenantId) };
  const openPartners = createOpenPartners({
    installationsOf: () => ({ of: async ({ tenantId }) => [{ ...installation(tenantId), ...part() }] }),
    exchange: { to: () => Promise.reject },
    allowedOf: () => [],
    notes,
  });
  return createInstalledMessages({
    openPartners,
    notes,
    smtp: { send: () => Promise.reject(new Error("nobody has one here")) },
    sms,
    log: { warn: () => undefined },
  });
}
const message = (reference: string): Message => ({
  reference,
  channel: "SMS",
  to: "+15550100",
  subject: "",
  text: "x",
});
const many = Array.from({ length: 20 }, (_each, at) => message(`m-${at}`));

test("a service that hangs has 8 messages at most, the rest is not tried, and another tenant's all go", async () => {
  const noted: string[] = [];
  const { send } = messages(noted);
  const sent = many.map((one) => send("hangs", one));
  const ended = Promise.allSettled(sent);
  await waitFor(() => waiting.length === mostCallsAtPartner);
  for (let at = 0; at < many.length; at += 1) expect(await send("answers", many[at]!)).toBe(true);
  expect(waiting).toHaveLength(mostCallsAtPartner);
  for (const response of waiting) response.writeHead(202).end();

  const reasons = (await ended).flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  expect(reasons).toHaveLength(many.length - mostCallsAtPartner);
  for (const reason of reasons) expect(reason).toBeInstanceOf(PartnerBusy);
  expect(noted.filter((tenantId) => tenantId === "hangs")).toHaveLength(mostCallsAtPartner);
  // What was not tried says nothing of the service: its breaker is closed.
  const next = send("hangs", message("next"));
  await waitFor(() => waiting.length > mostCallsAtPartner);
  waiting.at(-1)!.writeHead(202).end();
  expect(await next).toBe(true);
});

test("what was not tried goes later, and what was taken goes once", async () => {
  const { send } = messages();
  const tried = await Promise.allSettled(many.map((one) => send("answers", one)));
  expect(tried.some(({ status }) => status === "rejected")).toBe(true);
  await waitFor(async () => (await Promise.allSettled(many.map((one) => send("answers", one)))).every(isDone));
  expect(received).toHaveLength(many.length);
});
const isDone = ({ status }: PromiseSettledResult<unknown>) => status === "fulfilled";

test("a service whose secret is missing is not called: the message waits until it is there", async () => {
  let missingSecrets = ["secret"];
  const { send } = messages([], () => ({ missingSecrets }));
  const waits = { code: "UNAVAILABLE", message: "plugin of-answers is not called without its secret secret" };
  await expect(send("answers", message("waits"))).rejects.toMatchObject(waits);
  expect(received).toEqual([]);
  missingSecrets = [];
  expect(await send("answers", message("waits"))).toBe(true);
  expect(received).toEqual(["/answers"]);
});

test("a row that met a busy partner comes later, and whatever else went wrong is a try that failed", async () => {
  const places = { key: "partner", most: 1, free: () => 0, isShut: () => false };
  const handlers = laterWhileBusy({
    busy: () => Promise.reject(new PartnerBusy(places)),
    away: () => Promise.reject(new Refusal("UNAVAILABLE", "away")),
    sent: () => Promise.resolve(),
  });
  const run = (kind: string) => handlers[kind]!({} as never, {} as never);
  expect(await run("busy")).toBe(places);
  await expect(run("away")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await run("sent")).toBeUndefined();
});
