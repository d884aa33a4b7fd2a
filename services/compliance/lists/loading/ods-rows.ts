import { Unzip, UnzipInflate } from "fflate";
import { ListFault, type Row } from "./list-file.js";
import { inSlices } from "./slices.js";
import { createXmlFeed, type XmlListener } from "./xml-events.js";

/** What a packed file may inflate to. */
export interface InflationLimits {
  bytes: number;
  /** Bytes of content for one of the file, once more than 16 MB have come. */
  ratio: number;
}

/**
 * The UK's own file inflates to 632 MB, 41 times its size; nothing
 * honest comes near ten times that.
 */
export const inflationLimits: InflationLimits = { bytes: 1024 ** 3, ratio: 300 };

const ratioCountsFromBytes = 16 * 1024 * 1024;
const maxColumns = 200;
// Of packed bytes, so that what they inflate to stays a piece.
const sliceBytes = 8 * 1024;

/**
 * Lines of the first sheet of an OpenDocument spreadsheet. Throws a ListFault past the
 * limits, or where the file is cut.
 */
export async function* odsRows(stream: AsyncIterable<Uint8Array>, limits = inflationLimits): AsyncGenerator<Row> {
  const complete: Row[] = [];
  const feed = createXmlFeed(collectRows(complete), false);
  const state = { packed: 0, inflated: 0, isWhole: false };
  const unzip = new Unzip();
  unzip.register(UnzipInflate);
  unzip.onfile = (file) => {
    if (file.name !== "content.xml") return;
    assertBelow(file.originalSize ?? 0, limits);
    file.ondata = (error, bytes, isLast) => {
      // What is thrown below comes back here as the unpacker's error.
      if (error !== null) throw faultOf(error);
      state.inflated += bytes.length;
      assertBelow(state.inflated, limits);
      const isBomb = state.inflated > ratioCountsFromBytes && state.inflated > limits.ratio * state.packed;
      if (isBomb) throw new ListFault(`inflates to more than ${limits.ratio} times its size`);
      feed.write(bytes);
      state.isWhole ||= isLast;
    };
    file.start();
  };
  for await (const slice of inSlices(stream, sliceBytes)) {
    state.packed += slice.length;
    push(unzip, slice, false);
    yield* complete.splice(0);
  }
  if (!state.isWhole) throw new ListFault("the file is cut: the sheet has no end");
  feed.end();
  yield* complete.splice(0);
}

function push(unzip: Unzip, slice: Uint8Array, isLast: boolean): void {
  try {
    unzip.push(slice, isLast);
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): ListFault {
  return error instanceof ListFault ? error : new ListFault("cannot be unpacked: the file is cut or damaged");
}

function assertBelow(bytes: number, limits: InflationLimits): void {
  if (bytes > limits.bytes) throw new ListFault(`inflates to more than ${Math.round(limits.bytes / 1024 ** 2)} MB`);
}

/** Puts rows of cells together. Rows without text are counted and left out. */
function collectRows(complete: Row[]): XmlListener {
  let sheets = 0;
  let line = 0;
  let repeatedRows = 1;
  let cells: string[] | undefined;
  let cell: { text: string; repeated: number } | undefined;
  let isInText = false;
  return {
    open(name, attributes) {
      if (name === "table:table") sheets += 1;
      if (sheets !== 1) return;
      if (name === "table:table-row") {
        cells = [];
        repeatedRows = Number(attributes["table:number-rows-repeated"] ?? 1);
      } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
        cell = { text: "", repeated: Number(attributes["table:number-columns-repeated"] ?? 1) };
      } else if (name === "text:p" && cell !== undefined) {
        if (cell.text !== "") cell.text += "\n";
        isInText = true;
      } else if (name === "text:s" && cell !== undefined) cell.text += " ";
    },
    text(text) {
      if (isInText && cell !== undefined) cell.text += text;
    },
    close(name) {
      if (name === "text:p") isInText = false;
      if (
        (name === "table:table-cell" || name === "table:covered-table-cell") &&
        cell !== undefined &&
        cells !== undefined
      ) {
        for (let count = cell.repeated; count > 0 && cells.length < maxColumns; count--) cells.push(cell.text);
        cell = undefined;
      }
      if (name !== "table:table-row" || cells === undefined) return;
      line += 1;
      if (cells.some((text) => text !== "")) complete.push({ line, cells });
      line += repeatedRows - 1;
      cells = undefined;
    },
  };
}
