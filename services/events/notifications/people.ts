import type { IdentityServiceDefinition, MessageContact } from "../../../proto/gen/identity/v1/identity.js";
import { createBatcher } from "../../kernel/batching/batcher.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";

export type ContactIdentity = Pick<Client<IdentityServiceDefinition>, "getMessageContacts">;

interface Question {
  customerId: string;
  interactionId: string;
  resolve(contact: MessageContact | undefined): void;
  reject(error: unknown): void;
}

const maxCustomers = 100;
const timeoutMs = 5_000;

/**
 * How customers are reached, asked of identity when something is sent: of
 * those of a moment in one call.
 */
export function createMessageContacts(identity: ContactIdentity) {
  const batcher = createBatcher<Question>({
    maxBatchSize: maxCustomers,
    maxInFlight: 2,
    minBatchSize: maxCustomers,
    run: ask,
  });

  async function ask(tenantId: string, questions: Question[]): Promise<void> {
    try {
      const customerIds = [...new Set(questions.map(({ customerId }) => customerId))];
      const call = outgoing({ tenantId, interactionId: questions[0]?.interactionId ?? "" }, { timeoutMs });
      const { contacts } = await identity.getMessageContacts({ customerIds }, call);
      const found = new Map(contacts.map((contact) => [contact.customerId, contact]));
      for (const { customerId, resolve } of questions) resolve(found.get(customerId));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  return {
    /** Undefined for nobody, and for somebody who was erased. */
    find: (customerId: string, { tenantId, interactionId }: { tenantId: string; interactionId: string }) =>
      new Promise<MessageContact | undefined>((resolve, reject) =>
        batcher.add(tenantId, { customerId, interactionId, resolve, reject }),
      ),
  };
}

export type MessageContacts = ReturnType<typeof createMessageContacts>;
