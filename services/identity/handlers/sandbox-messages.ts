import type { MessagesServiceDefinition } from "../../../proto/gen/sandbox/v1/sandbox.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { SandboxInbox, SentMessage } from "../clients/sandbox-inbox.js";
import type { IdentityStore } from "../store/index.js";
import { userOf } from "./managed-users.js";

interface Deps {
  store: IdentityStore;
  inbox: SandboxInbox;
}

const maxMessages = 100;

/** Messages that were sent in a sandbox: all of them to a MANAGER, their own to everybody else. */
export function messageHandlers({ store, inbox }: Deps) {
  /** Whose messages may be read; undefined for everybody's. */
  async function recipientsOf(to: string, call: Call): Promise<string[] | undefined> {
    const { role, userId } = requireUser(call);
    if (role === "MANAGER") return to === "" ? undefined : [to];
    const { email, customer } = await userOf(store, call.tenantId, userId);
    const own = [email, customer?.phoneNumber ?? ""].filter((contact) => contact !== "");
    if (to === "") return own;
    if (!own.includes(to)) throw new Refusal("FORBIDDEN", "messages to others are read by a manager");
    return [to];
  }

  return {
    async listMessages({ to, cursor, limit: requested }, call) {
      const { tenantId, signal } = call;
      if (!isSandbox(tenantId)) throw new Refusal("NOT_FOUND", "messages are read in a sandbox only");
      if (requested < 0 || requested > maxMessages) throw invalidInput("limit", `must be 1 to ${maxMessages}`);
      const limit = requested === 0 ? 20 : requested;
      const recipients = await recipientsOf(to, call);
      const which = { limit, ...(cursor !== "" && { cursor }) };
      if (recipients === undefined || recipients.length === 1) {
        const page = await inbox.list(tenantId, { ...which, to: recipients?.[0] }, signal);
        return { messages: page.messages.map(messageToWire), cursor: page.cursor };
      }
      // Each recipient's newest messages are read, since a cursor belongs to one list.
      const pages = await Promise.all(recipients.map((one) => inbox.list(tenantId, { limit, to: one }, signal)));
      const all = pages.flatMap(({ messages }) => messages);
      const newest = all.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime()).slice(0, limit);
      return { messages: newest.map(messageToWire), cursor: "" };
    },
  } satisfies Partial<Handlers<MessagesServiceDefinition>>;
}

function messageToWire(message: SentMessage) {
  return { ...message, code: /(?<!\d)\d{6}(?!\d)/.exec(message.text)?.[0] ?? "" };
}
