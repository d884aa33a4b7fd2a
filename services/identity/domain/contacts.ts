export type ContactType = "EMAIL" | "PHONE_NUMBER";

/** How long the code of a new contact is good: a text message is read at once, a mail maybe tomorrow. */
export const contactLifetimesMs: Record<ContactType, number> = {
  EMAIL: 24 * 3_600_000,
  PHONE_NUMBER: 10 * 60_000,
};

/** What compliance is told of a person. */
export type PersonPart = ContactType | "NAME";
