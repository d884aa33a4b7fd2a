import { Refusal } from "../../../kernel/refusal.js";
import type { ComplianceStore, Session } from "../../decisions/store/index.js";

interface Saved {
  revision: number;
  /** The version in use when it was begun. */
  basedOn: number;
  savedAt: Date;
  savedBy: string;
  /** Who wrote any of its revisions. */
  authors: readonly string[];
}

/** Where a draft and what becomes of it are kept, of one tenant. */
export interface DraftPlace<Draft extends Saved, Policy> {
  findDraft(session?: Session): Promise<Draft | undefined>;
  findDraftRevision(session?: Session): Promise<number>;
  putDraft(draft: Draft, session: Session): Promise<void>;
  endDraft(session: Session): Promise<void>;
  /** Of the policy in use. */
  findVersion(session: Session): Promise<number>;
  /** What a draft begins from. */
  findInForce(session: Session): Promise<Omit<Draft, keyof Saved>>;
  /** What the draft of a revision has become. */
  findByRevision(revision: number, session?: Session): Promise<Policy | undefined>;
}

/**
 * Writes the next revision onto the one that was read, 0 where there was no draft; the same by the
 * same person changes nothing. One that says what is in force is nobody else's any more. Refuses
 * STATE_CONFLICT where somebody else was first.
 */
export function saveDraft<Content extends object, Policy>(
  store: Pick<ComplianceStore, "transaction">,
  place: DraftPlace<Content & Saved, Policy>,
  {
    content,
    revision: read,
    isSame,
    ...by
  }: {
    content: Content;
    revision: number;
    savedBy: string;
    savedAt: Date;
    isSame(draft: Content, content: Content): boolean;
  },
  audit: (draft: Saved, session: Session) => Promise<unknown>,
): Promise<Content & Saved> {
  const ifSaved = (draft: (Content & Saved) | undefined) =>
    draft !== undefined && draft.savedBy === by.savedBy && isSame(draft, content) ? draft : undefined;
  return store.transaction(
    async (session) => {
      const before = await place.findDraft(session);
      const same = ifSaved(before);
      if (same !== undefined) return same;
      const last = await place.findDraftRevision(session);
      // Of one that is published nothing is read any more; who knows its
      // revision may go on from there.
      const isNext = read === last || (before === undefined && read === 0);
      if (!isNext) throw movedOn(before === undefined ? 0 : last);
      const isNew = before === undefined || isSame((await place.findInForce(session)) as Content, content);
      const authors = [...new Set(isNew ? [by.savedBy] : [...before.authors, by.savedBy])];
      const basedOn = await place.findVersion(session);
      const draft = { ...content, ...by, authors, revision: last + 1, basedOn };
      await place.putDraft(draft, session);
      await audit(draft, session);
      return draft;
    },
    async () => ifSaved(await place.findDraft()),
  );
}

/**
 * Makes the draft the next version, once, and ends it; `what` it is a draft of. By maker-checker
 * some write it and another lets it in. Refuses NOT_FOUND, FORBIDDEN to whoever wrote any of its
 * revisions, STATE_CONFLICT where it has moved on or was begun on another version.
 */
export function publishDraft<Draft extends Saved, Policy>(
  store: Pick<ComplianceStore, "transaction">,
  place: DraftPlace<Draft, Policy>,
  { revision, by, what }: { revision: number; by: string; what: string },
  publish: (draft: Draft, session: Session) => Promise<Policy>,
): Promise<Policy> {
  return store.transaction(
    async (session) => {
      const before = await place.findByRevision(revision, session);
      if (before !== undefined) return before;
      const draft = await place.findDraft(session);
      if (draft === undefined) throw noDraft(what);
      if (draft.revision !== revision) throw movedOn(draft.revision);
      if (draft.authors.includes(by)) {
        throw new Refusal("FORBIDDEN", "somebody else than its authors must publish this draft");
      }
      const version = await place.findVersion(session);
      if (draft.basedOn !== version) {
        throw new Refusal(
          "STATE_CONFLICT",
          `the draft was begun on version ${draft.basedOn}, and ${version} holds now`,
        );
      }
      const policy = await publish(draft, session);
      await place.endDraft(session);
      return policy;
    },
    () => place.findByRevision(revision),
  );
}

export function noDraft(what: string): Refusal {
  return new Refusal("NOT_FOUND", `there is no draft of the ${what}`);
}

function movedOn(revision: number): Refusal {
  return revision === 0
    ? new Refusal("STATE_CONFLICT", "there is no draft any more: begin a new one with revision 0")
    : new Refusal("STATE_CONFLICT", `the draft is at revision ${revision}: read it again`);
}
