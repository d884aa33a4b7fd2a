import { setTimeout as sleep } from "node:timers/promises";
import type { Body, components } from "../../sdk/src/index.js";
import type { DemoClient } from "./client.js";

type Schemas = components["schemas"];
export type Recipient = Pick<
  Schemas["Beneficiary"],
  "code" | "name" | "country" | "currency" | "creditParty" | "deliveryMethods"
>;

/** Of the person who asks. */
export const ipAddress = "203.0.113.7";
/** On the lists that the sandbox partner publishes; nobody has this name. */
const listed = { firstName: "Yaromil Ostapovich", lastName: "Vorskutin" };
const holderKeys = ["accountholdername", "recipientname"];

/**
 * A transaction to somebody with a listed name: it waits as every review does, a manager
 * sees what was found and why, says that it is somebody else, and it goes on by itself.
 * The recipient is removed again.
 */
export async function screenedPayment({
  client,
  officer,
  recipient,
  order,
}: {
  client: DemoClient;
  officer: { client: DemoClient; email: string };
  /** Whose country and account the listed one has. */
  recipient: Recipient;
  order(to: Recipient): Body<"createTransaction">;
}): Promise<void> {
  const { manilla } = client;
  const to = await saveRecipient(client, recipient, listed);
  const { id, status } = await manilla.transactions.create(order(to), { ipAddress });
  client.note(`status ${status}, in the words of every review`);

  const { client: desk, email } = officer;
  desk.heading(`    ${email} looks at what was found, and says that it is somebody else`);
  const { compliance } = desk.manilla;
  const { items } = await desk.brief(() => compliance.listScreenings({ transactionId: id }).page());
  for (const { screeningId, hits } of items) {
    const open = hits.filter(({ state }) => state === "OPEN");
    for (const hit of open) explain(desk, hit);
    if (open.length === 0) continue;
    const hitIds = open.map(({ hitId }) => hitId);
    const reason = "Another person: the passport says born in 1984";
    await desk.brief(() => compliance.decideScreeningHits(screeningId, { hitIds, decision: "FALSE_POSITIVE", reason }));
  }

  const now = await untilItGoesOn(client, id, status);
  client.note(`status ${now}: decided anew by itself once every hit was told apart`);
  await client.brief(() => manilla.beneficiaries.remove(to.code));
}

/** Saves somebody with a name of their own and the country and account of another recipient. */
export async function saveRecipient(
  { manilla }: DemoClient,
  like: Recipient,
  named: { firstName: string; lastName: string },
): Promise<Recipient> {
  const { country, currency, deliveryMethods } = like;
  const name = `${named.firstName} ${named.lastName}`;
  const creditParty = like.creditParty.map((pair) => (holderKeys.includes(pair.key) ? { ...pair, value: name } : pair));
  const body = { ...named, country, currency, deliveryMethods, creditParty } as Body<"createBeneficiary">;
  const { code } = await manilla.beneficiaries.create(body);
  return { ...like, code, name, creditParty };
}

/** One line a part: the effects add up to the score. */
function explain(desk: DemoClient, { entry, matchedName, score, parts }: Schemas["ScreeningHit"]): void {
  const born = entry.datesOfBirth.length === 0 ? "" : `, born ${entry.datesOfBirth.join(" or ")}`;
  desk.note(`${entry.source} ${entry.entryId}: ${matchedName}${born}; ${score} per mille`);
  for (const { part, ours, theirs, effect } of parts) {
    desk.note(`  ${part}: ${ours || "not known"} and ${theirs || "not known"}: ${effect < 0 ? "" : "+"}${effect}`);
  }
}

async function untilItGoesOn({ manilla, unseen }: DemoClient, id: string, waiting: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const { status } = await unseen(() => manilla.transactions.read(id));
    if (status !== waiting || attempt === 100) return status;
    await sleep(100);
  }
}
