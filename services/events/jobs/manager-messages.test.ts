import { randomUUID } from "node:crypto";
import { Role } from "../../../proto/gen/identity/v1/identity.js";
import { Refusal } from "../../kernel/refusal.js";
import { managerMessages, type MessageDeps } from "./manager-messages.js";
import { rowKinds } from "../row-kinds.js";

const managers = ["MA1", "MA2", "MA3"].map((userId) => ({
  userId,
  email: `${userId}@x.example`,
  role: Role.ROLE_MANAGER,
  disabled: false,
}));
const identity = {
  listStaffUsers: async () => ({ users: managers, nextPageToken: "" }),
  getOrganisationPreference: async () => ({ tenant: { name: "Bank" } }),
} as unknown as MessageDeps["identity"];

/** Tells all; whom, and what the row ends with. */
async function tell(refusalOf: (to: string) => Error | undefined) {
  const requested: string[] = [];
  const send: MessageDeps["notifications"]["send"] = async (_tenantId, { to }) => {
    requested.push(to);
    const refusal = refusalOf(to);
    if (refusal !== undefined) throw refusal;
  };
  const handle = managerMessages({ identity, notifications: { send } })[rowKinds.tellManagers]!;
  const payload = { endpointId: "E1", url: "https://bank.example/events", why: "it answered 410 Gone" };
  const row = { id: randomUUID(), tenantId: randomUUID(), interactionId: "i", payload };
  const context = { signal: new AbortController().signal };
  const end = await handle(row as never, context as never).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { requested, end };
}

test("one manager whose contact is refused hides nothing from the others; the first refusal is the row's", async () => {
  const refusals = new Map([
    ["MA1@x.example", new Refusal("STATE_CONFLICT", "the message was refused with 422")],
    ["MA2@x.example", new Refusal("STATE_CONFLICT", "the message was refused with 400")],
  ]);
  const { requested, end } = await tell((to) => refusals.get(to));
  expect(requested).toEqual(managers.map(({ email }) => email));
  expect(end).toBe(refusals.get("MA1@x.example"));
});

test("a connector that is away is waited for", async () => {
  const away = new Refusal("UNAVAILABLE", "the partner's answer is unknown");
  expect(await tell(() => away)).toEqual({ requested: ["MA1@x.example"], end: away });
  expect(await tell(() => undefined)).toEqual({ requested: managers.map(({ email }) => email), end: undefined });
});
