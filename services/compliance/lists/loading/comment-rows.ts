import { createTurns } from "../../../kernel/time/turns.js";
import { ListFault, type Row, type SetAside } from "./list-file.js";

const part = "COMMENTS";
const maxRowCharacters = 1_000_000;
const mostSetAside = 20;
const mostShown = 200;
const linesPerTurn = 500;

const beginsRow = /^\s*\d{1,9}\s*,/;
const row = /^\s*(\d{1,9})\s*,\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*$/;

/**
 * Rows of OFAC's comments: a number and a text, which may span lines in quotes. One whose quotes
 * are broken is told to `setAside`, since comments add weak names alone and the list's other rows
 * stand by themselves. Throws a ListFault for anything else that is no row.
 */
export async function* commentRows(
  stream: AsyncIterable<Uint8Array>,
  setAside: (found: SetAside) => void,
): AsyncGenerator<Row> {
  let begun: { line: number; text: string } | undefined;
  let count = 0;
  const whole = ({ line, text }: { line: number; text: string }): Row | undefined => {
    const [, id = "", quoted, plain = ""] = row.exec(text) ?? [];
    if (id !== "") return { line, cells: [id, quoted?.replaceAll('""', '"') ?? plain] };
    if (!text.includes('"')) throw new ListFault("has another number of columns than 2", line, part);
    count += 1;
    if (count > mostSetAside) throw new ListFault(`is row ${count} whose quotes are broken`, line, part);
    setAside({ part, line, text: text.slice(0, mostShown) });
    return undefined;
  };
  for await (const { line, text } of linesOf(stream)) {
    if (text.includes("\uFFFD")) throw new ListFault("has bytes that are no UTF-8", line, part);
    // The end of a file of DOS, which the source still writes.
    if (text.trim() === "" || text === "\u001a") continue;
    if (beginsRow.test(text)) {
      const made = begun && whole(begun);
      if (made) yield made;
      begun = { line, text };
    } else if (begun === undefined) throw new ListFault("has no number of an entry", line, part);
    else begun.text += `\n${text}`;
    if (begun.text.length > maxRowCharacters) throw new ListFault("is longer than a line may be", begun.line, part);
  }
  const last = begun && whole(begun);
  if (last) yield last;
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; text: string }> {
  const decoder = new TextDecoder();
  const turns = createTurns("list comments", linesPerTurn);
  let rest = "";
  let line = 0;
  for await (const chunk of stream) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = texts.pop()!;
    if (rest.length > maxRowCharacters) throw new ListFault("is longer than a line may be", line + 1, part);
    for (const text of texts) {
      yield { line: (line += 1), text };
      await turns.spent();
    }
  }
  for (const text of (rest + decoder.decode()).split(/\r\n|\n|\r/)) yield { line: (line += 1), text };
  turns.end();
}
