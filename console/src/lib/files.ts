/** Has the browser save bytes or text as a file. Throws where the answer was no file. */
export function saveFile(content: unknown, name: string, type: string): true {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) throw new TypeError("the answer is no file");
  // Text that was read has lost the mark by which spreadsheets know UTF-8.
  const mark = type === "text/csv" && typeof content === "string" && !content.startsWith("\ufeff") ? ["\ufeff"] : [];
  const url = URL.createObjectURL(new Blob([...mark, content as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return true;
}
