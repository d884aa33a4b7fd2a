import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { AgentContacts } from "../domain/agent-contacts.js";

export function agentContactStore(contacts: RecordCollection<AgentContacts>) {
  return {
    findAgentContacts: (agentId: string): Promise<AgentContacts | undefined> => contacts.findOne({ agentId }),
    /** Passed over where as new a version is there. */
    async putAgentContacts({ agentId, version, ...flags }: AgentContacts): Promise<void> {
      await contacts.updateOne({ agentId }, { $setOnInsert: { version: 0 } as never }, { upsert: true });
      const gone = ["doNotForwardEmail", "doNotForwardPhone"].filter((name) => !(name in flags));
      const change = {
        $set: { version, ...flags },
        ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, true])) }),
      };
      await contacts.updateOne({ agentId, version: { $lt: version } }, change as never);
    },
  };
}
