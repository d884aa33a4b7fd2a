import { setTimeout as sleep } from "node:timers/promises";
import type { DemoClient } from "./client.js";
import { payInSandbox } from "./sandbox-payment.js";

const patienceMs = 20_000;

export interface DemoLogin {
  email: string;
  password: string;
}

interface Taken {
  event: { type: string; sequence: number; subject: { type: string; id: string } };
}

/**
 * Shows events arrive: in the sandbox, a manager makes an endpoint at the partner's receiver, a
 * customer sends money, and the receiver says what it took. The endpoint stays, to look at; the one
 * of a run before is removed.
 */
export async function showWebhooks(
  /** Of the sandbox, as the manager. */
  client: DemoClient,
  { baseUrl, host, partner }: { baseUrl: string; host: string; partner: string },
  { manager, sender }: { manager: DemoLogin; sender: DemoLogin },
): Promise<void> {
  const receiver = `${partner}/webhooks/demo`;
  const { webhooks, security } = client.manilla;

  client.heading(`12. The sandbox: ${manager.email} has every event of transactions sent to ${receiver}`);
  const { endpoints } = await webhooks.listEndpoints();
  for (const { url, endpointId } of endpoints) if (url === receiver) await webhooks.removeEndpoint(endpointId);
  const eventTypes = ["transaction.*"];
  const made = { url: receiver, eventTypes, ordered: true, description: "npm run demo" };
  await tellSecret((await webhooks.createEndpoint(made)).secret);

  client.heading(`13. ${sender.email} sends money in the sandbox`);
  const since = (await taken()).length;
  await payInSandbox({ gatewayUrl: baseUrl, host, ...sender }, (line) => client.note(line));

  client.heading("14. What the receiver took: each signed, each once, in order");
  const events = await untilCompleted(since);
  for (const { event } of events) {
    client.note(`${event.sequence} ${event.type} of ${event.subject.type} ${event.subject.id}`);
  }
  await security.logout();

  async function tellSecret(secret: string): Promise<void> {
    const init = { method: "PUT", body: JSON.stringify({ secret }) };
    const response = await fetch(`${partner}/control/webhooks/demo`, init);
    if (!response.ok) throw new Error(`the receiver answered ${response.status}: ${await response.text()}`);
  }

  async function taken(): Promise<Taken[]> {
    const response = await fetch(`${partner}/control/webhooks/demo`);
    return ((await response.json()) as { events: Taken[] }).events;
  }

  async function untilCompleted(before: number): Promise<Taken[]> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      const events = (await taken()).slice(before);
      if (events.some(({ event }) => event.type === "transaction.completed")) return events;
      if (Date.now() > giveUpAt) throw new Error(`after ${patienceMs / 1_000} s ${events.length} events had arrived`);
      await sleep(200);
    }
  }
}
