/**
 * This process does not own the journal any more and nothing of the request was written: ask the
 * owner, with the same keys.
 */
export class JournalLost extends Error {
  override readonly name = "JournalLost";
}
