import { silentLog } from "../../../test/support/index.js";
import { Refusal } from "../refusal.js";
import type { OutboxRow, RelayContext } from "./row.js";
import { showingBugs } from "./showing-bugs.js";

const at = (attempt: number) => ({ attempt, log: silentLog }) as RelayContext;
const row = {} as OutboxRow;

test("a bug is tried again, and parks its row at the 20th failure", async () => {
  const handle = showingBugs(() => Promise.reject(new Error("no such column")));
  await expect(handle(row, at(19))).rejects.not.toBeInstanceOf(Refusal);
  await expect(handle(row, at(20))).rejects.toMatchObject({ code: "STATE_CONFLICT", message: "no such column" });
});

test("a refusal is passed on however often it comes", async () => {
  const away = new Refusal("UNAVAILABLE", "away");
  await expect(showingBugs(() => Promise.reject(away))(row, at(500))).rejects.toBe(away);
});
