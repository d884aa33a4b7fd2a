/** A contact that somebody is to have: it counts once its code was entered. */
export interface ContactChange {
  changeId: string;
  userId: string;
  type: ContactType;
  value: string;
  /** What counted when it was asked for; empty where there was none. */
  previous: string;
  state: "PENDING" | "CONFIRMED" | "REPLACED";
  tries: number;
  /** Its owner asked, and has shown then that it was they. */
  byOwner: boolean;
  /** User id of whoever asked. */
  askedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

export type ContactType = "EMAIL" | "PHONE_NUMBER";

/**
 * How long the code of a new contact is good: a text message is read at once, a mail maybe
 * tomorrow.
 */
export const contactLifetimesMs: Record<ContactType, number> = {
  EMAIL: 24 * 3_600_000,
  PHONE_NUMBER: 10 * 60_000,
};

/** What compliance is told of a person; ADDRESS where another one was on file. */
export type PersonPart = ContactType | "NAME" | "DETAILS" | "ADDRESS" | "REGISTERED";
