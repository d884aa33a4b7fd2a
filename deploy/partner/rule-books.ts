import { isDeepStrictEqual } from "node:util";
import { openBooksFile } from "./books-file.js";
import type { Rule } from "./behaviours.js";

export interface StoredRule {
  id: string;
  /** Its `times` is what is left of them. */
  rule: Rule;
}

export type RuleBooks = ReturnType<typeof openRuleBooks>;

interface Row {
  id: string;
  content: string;
  /**
   * How many times it still holds; -1 for as long as it stands, 0 once it is used up or removed.
   */
  left: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS rules (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL, left INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS rules_standing ON rules (sequence) WHERE left <> 0;
`;

/**
 * The partner's rules, in its SQLite file. A rule that ended stays: sent again under its id, it is
 * not new.
 */
export function openRuleBooks(file: string) {
  const db = openBooksFile(file, schema);
  const all = db.prepare("SELECT id, content, left FROM rules WHERE left <> 0 ORDER BY sequence");
  const find = db.prepare("SELECT id, content, left FROM rules WHERE id = ?");
  const insert = db.prepare("INSERT INTO rules (id, content, left) VALUES (?, ?, ?)");
  const leave = db.prepare("UPDATE rules SET left = ? WHERE id = ?");
  // Every payout asks which rules stand: they are read once.
  let current = (all.all() as unknown as Row[]).map(storedOf);

  return {
    standing: (): readonly StoredRule[] => current,
    add: (id: string, rule: Rule): "new" | "known" | "other" => {
      const known = find.get(id) as Row | undefined;
      if (known !== undefined) {
        return isDeepStrictEqual(JSON.parse(known.content), plain(rule)) ? "known" : "other";
      }
      insert.run(id, JSON.stringify(rule), rule.times ?? -1);
      current = [...current, { id, rule }];
      return "new";
    },
    countDown: (id: string): void => {
      const times = (current.find((one) => one.id === id)?.rule.times ?? 1) - 1;
      leave.run(times, id);
      current = current.flatMap((one) => {
        if (one.id !== id) return one;
        return times === 0 ? [] : { id, rule: { ...one.rule, times } };
      });
    },
    end: (isMeant: (stored: StoredRule) => boolean): number => {
      const ending = current.filter(isMeant);
      for (const { id } of ending) leave.run(0, id);
      current = current.filter((stored) => !ending.includes(stored));
      return ending.length;
    },
    close: () => db.close(),
  };
}

function storedOf({ id, content, left }: Row): StoredRule {
  const rule = JSON.parse(content) as Rule;
  return { id, rule: left < 0 ? rule : { ...rule, times: left } };
}

function plain(rule: Rule): unknown {
  return JSON.parse(JSON.stringify(rule));
}
