import { openBooksFile } from "./books-file.js";

/** A message as the sandbox connector took it. */
export interface MessageRecord {
  account: string;
  reference: string;
  channel: "EMAIL" | "SMS";
  recipient: string;
  subject: string;
  text: string;
  /** Empty where there is none. */
  html: string;
  /** Epoch ms. */
  takenAt: number;
}

export type NotificationBooks = ReturnType<typeof openNotificationBooks>;

const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    account TEXT NOT NULL, reference TEXT NOT NULL, channel TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT NOT NULL,
    text TEXT NOT NULL, html TEXT NOT NULL, takenAt INTEGER NOT NULL, PRIMARY KEY (account, reference)
  );
  CREATE INDEX IF NOT EXISTS messages_recipient ON messages (account, recipient, takenAt);
`;

/** The connector's own record of what it was given, in the partner's SQLite file. */
export function openNotificationBooks(file: string) {
  const db = openBooksFile(file, schema);
  const find = db.prepare("SELECT * FROM messages WHERE account = ? AND reference = ?");
  const insert = db.prepare(
    "INSERT INTO messages VALUES (:account, :reference, :channel, :recipient, :subject, :text, :html, :takenAt)",
  );
  const inbox = db.prepare(
    `SELECT *, rowid AS sequence FROM messages WHERE account = ? AND (? = '' OR recipient = ?) AND rowid < ?
     ORDER BY rowid DESC LIMIT ?`,
  );
  return {
    find: (account: string, reference: string) => find.get(account, reference) as MessageRecord | undefined,
    insert: (message: MessageRecord) => void insert.run({ ...message }),
    /** The newest of an account before a sequence number, of one recipient where one is named. */
    inbox: (account: string, recipient = "", before: number = Number.MAX_SAFE_INTEGER, limit = 100) =>
      inbox.all(account, recipient, recipient, before, limit) as unknown as (MessageRecord & { sequence: number })[],
    close: () => db.close(),
  };
}
