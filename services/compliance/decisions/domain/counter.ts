/** What the policy lets count at the counter; absent where it says nothing of it. */
export interface CounterRules {
  /** A document that staff saw and entered fulfils the rule about an identity document. */
  seenDocuments: boolean;
  /** Contacts that whoever was registered at the counter need not confirm. */
  optionalContacts: CounterContact[];
}

export const counterContacts = ["EMAIL", "PHONE_NUMBER"] as const;
export type CounterContact = (typeof counterContacts)[number];

export const noCounterRules: CounterRules = { seenDocuments: false, optionalContacts: [] };

/** What happened of a customer at the counter, as identity knows it. */
export interface CounterFacts {
  isRegistered: boolean;
  /** Of the document that counts longest among those that staff saw. */
  seen?: SeenDocument;
}

export interface SeenDocument {
  at: Date;
  /** Whose user id. */
  by: string;
  /** The moment from which the document is over; absent where it does not end. */
  until?: Date;
}

/** Whether a customer need not confirm a contact. */
export function isOptional(kind: string, rules: CounterRules, facts: CounterFacts | undefined): boolean {
  return facts?.isRegistered === true && rules.optionalContacts.some((contact) => contact === kind);
}
