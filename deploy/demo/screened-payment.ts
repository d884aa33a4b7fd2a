import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonNumber } from "../../services/shared/json.js";
import type { DemoClient } from "./client.js";

export interface Recipient {
  code: string;
  name: string;
  country: string;
  currency: string;
  creditParty: { key: string; value: string }[];
  deliveryMethods: string[];
}

interface Hit {
  hitId: string;
  state: string;
  score: JsonNumber;
  matchedName: string;
  entry: { source: string; entryId: string; datesOfBirth: string[] };
  parts: { part: string; ours: string; theirs: string; effect: JsonNumber }[];
}

interface Screening {
  screeningId: string;
  hits: Hit[];
}

const services = "/api/v6/services";
/** On the lists that the sandbox partner publishes; nobody has this name. */
const listed = { firstName: "Yaromil Ostapovich", lastName: "Vorskutin" };
const holderKeys = ["accountholdername", "recipientname"];
const keyed = () => ({ "X-Idempotency-Key": randomUUID() });

/**
 * A transaction to somebody with a listed name: it waits as every review does, a manager sees what was found and why, says that it
 * is somebody else, and it goes on by itself. The recipient is removed again.
 */
export async function screenedPayment({
  client,
  officer,
  recipient,
  order,
}: {
  client: DemoClient;
  officer: { client: DemoClient; email: string; password: string };
  /** Whose country and account the listed one has. */
  recipient: Recipient;
  /** The body of create-transaction. */
  order(to: Recipient): Record<string, unknown>;
}): Promise<void> {
  const to = await saveRecipient(client, recipient, listed);
  const created = await client.send("POST", `${services}/transactionmanagement/create-transaction`, {
    headers: { ...keyed(), ipAddress: "203.0.113.7" },
    body: order(to),
  });
  const { id, status } = created["data"] as { id: string; status: string };
  client.note(`status ${status}, in the words of every review`);

  const { client: desk, email, password } = officer;
  desk.heading(`    ${email} looks at what was found, and says that it is somebody else`);
  const session = await desk.send("PUT", `${services}/securitymanagement/login`, {
    body: { email, currentPassword: password },
    brief: true,
  });
  desk.useToken(String(session["access_token"]));
  const screenings = `${services}/compliance/screenings`;
  const answer = await desk.send("GET", `${screenings}?transactionId=${id}`, { brief: true });
  for (const { screeningId, hits } of (answer["data"] as { screenings: Screening[] }).screenings) {
    const open = hits.filter(({ state }) => state === "OPEN");
    for (const hit of open) explain(desk, hit);
    if (open.length === 0) continue;
    await desk.send("POST", `${screenings}/${screeningId}/hits/decide`, {
      headers: keyed(),
      body: {
        hitIds: open.map(({ hitId }) => hitId),
        decision: "FALSE_POSITIVE",
        reason: "Another person: the passport says born in 1984",
      },
      brief: true,
    });
  }

  const transaction = `${services}/transactionmanagement/transactions/${id}`;
  const now = await untilItGoesOn(client, transaction, status);
  client.note(`status ${now}: decided anew by itself once every hit was told apart`);
  const remove = `${services}/usermanagement/beneficiaries/${to.code}/remove`;
  await client.send("POST", remove, { headers: keyed(), brief: true });
}

/** Saves somebody with a name of their own and the country and account of another recipient. */
export async function saveRecipient(
  client: DemoClient,
  like: Recipient,
  named: { firstName: string; lastName: string },
): Promise<Recipient> {
  const { country, currency, deliveryMethods } = like;
  const name = `${named.firstName} ${named.lastName}`;
  const creditParty = like.creditParty.map((pair) => (holderKeys.includes(pair.key) ? { ...pair, value: name } : pair));
  const saved = await client.send("POST", `${services}/usermanagement/beneficiaries`, {
    headers: keyed(),
    body: { ...named, country, currency, deliveryMethods, creditParty },
  });
  const { code } = saved["data"] as { code: string };
  return { ...like, code, name, creditParty };
}

/** One line a part: the effects add up to the score. */
function explain(desk: DemoClient, { entry, matchedName, score, parts }: Hit): void {
  const born = entry.datesOfBirth.length === 0 ? "" : `, born ${entry.datesOfBirth.join(" or ")}`;
  desk.note(`${entry.source} ${entry.entryId}: ${matchedName}${born}; ${score.text} per mille`);
  for (const { part, ours, theirs, effect } of parts) {
    desk.note(
      `  ${part}: ${ours || "not known"} and ${theirs || "not known"}: ${effect.text.startsWith("-") ? "" : "+"}${effect.text}`,
    );
  }
}

async function untilItGoesOn(client: DemoClient, path: string, waiting: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await client.peek("GET", path);
    const { status = waiting } = (answer["data"] ?? {}) as { status?: string };
    if (status !== waiting || attempt === 100) return status;
    await sleep(100);
  }
}
