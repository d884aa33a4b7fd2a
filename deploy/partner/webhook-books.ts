import { openBooksFile } from "./books-file.js";

/** An event as a receiver took it. */
export interface ReceivedEvent {
  receiver: string;
  /** The event's id, which is its webhook-id. */
  id: string;
  type: string;
  /** Of its subject. */
  sequence: number;
  /** The bytes that were signed. */
  body: string;
  /** Epoch ms of the first time that it came. */
  takenAt: number;
  /** How often it came. */
  times: number;
}

export type WebhookBooks = ReturnType<typeof openWebhookBooks>;

const schema = `
  CREATE TABLE IF NOT EXISTS webhook_receivers (receiver TEXT PRIMARY KEY, secret TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS webhooks (
    receiver TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, sequence INTEGER NOT NULL, body TEXT NOT NULL,
    takenAt INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (receiver, id)
  );
`;

/**
 * What receivers of webhooks took, and the secrets they verify by, in the partner's SQLite file.
 */
export function openWebhookBooks(file: string) {
  const db = openBooksFile(file, schema);
  const secret = db.prepare("SELECT secret FROM webhook_receivers WHERE receiver = ?");
  const setSecret = db.prepare(
    "INSERT INTO webhook_receivers VALUES (?, ?) ON CONFLICT (receiver) DO UPDATE SET secret = excluded.secret",
  );
  // The id is what a receiver knows an event by: the second time is counted, and changes nothing.
  const take = db.prepare(`
    INSERT INTO webhooks VALUES (:receiver, :id, :type, :sequence, :body, :takenAt, 1)
    ON CONFLICT (receiver, id) DO UPDATE SET times = times + 1`);
  const taken = db.prepare("SELECT * FROM webhooks WHERE receiver = ? ORDER BY rowid DESC LIMIT ?");
  return {
    secretOf: (receiver: string) => (secret.get(receiver) as { secret: string } | undefined)?.secret,
    setSecret: (receiver: string, value: string) => void setSecret.run(receiver, value),
    take: (event: Omit<ReceivedEvent, "times">) => void take.run({ ...event }),
    /** The newest, oldest of them first. */
    taken: (receiver: string, limit = 100) => (taken.all(receiver, limit) as unknown as ReceivedEvent[]).reverse(),
    close: () => db.close(),
  };
}
