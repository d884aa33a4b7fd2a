import type {
  ListScreeningListsRequest,
  LoadScreeningListRequest,
  ScreeningList as WireList,
} from "../../../../proto/gen/compliance/v1/screening.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { listSources, type ListSource } from "../domain/list-entry.js";
import { isOperators } from "../domain/list-owner.js";
import { screeningListStatuses, type ScreeningListStatus } from "../domain/screening-list.js";
import { listParts, type ListPart } from "../loading/list-file.js";
import { placeOfList, type StoredList } from "../store/screening-lists.js";
import { pageFromWire } from "../../common/wire/pages.js";

/** Who of the operator's people it was is the operator's to know. */
export function listToWire(
  list: StoredList,
  { caller }: Pick<Call, "caller">,
  compared: readonly ListSource[],
): WirePartial<WireList> {
  const { listId, source, version, publishedAt, sha256, entries, added, changed, removed, status } = list;
  const { reason, line, loadedAt, loadedBy, approvedBy, tenantId } = list;
  const counts = { entries, added, changed, removed };
  const shown = (by: string) => (caller === "operator" ? by : by.replace(/^operator:.*$/, "operator"));
  const people = {
    loadedAt,
    loadedBy: shown(loadedBy),
    approvedBy: shown(approvedBy),
    isOperators: isOperators(tenantId),
    isUsed: compared.includes(source),
  };
  return { listId, source, version, publishedAt, sha256, ...counts, status, reason, line, ...people };
}

/** Refuses INVALID_INPUT for a text that is none of them. */
function oneOf<T extends string>(known: readonly T[], given: string, path: string): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw invalidInput(path, `must be one of ${known.join(", ")}`);
  return found;
}

export interface ListQuery {
  by: { source?: ListSource; status?: ScreeningListStatus };
  limit: number;
  after?: string;
}

const cursorForm = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z\.list-[0-9a-f]{32}$/;

/** Refuses INVALID_INPUT naming the fault. */
export function listQueryFromWire(request: ListScreeningListsRequest): ListQuery {
  const { source, status } = request;
  const page = pageFromWire(request);
  if (page.after !== undefined && !cursorForm.test(page.after))
    throw invalidInput("cursor", "must be the cursor of the page before");
  return {
    ...page,
    by: {
      ...(source !== "" && { source: oneOf(listSources, source, "source") }),
      ...(status !== "" && { status: oneOf(screeningListStatuses, status, "status") }),
    },
  };
}

/** Absent on the last page. */
export function listCursorAfter(found: readonly StoredList[], limit: number): string {
  const last = found.at(-1);
  return last === undefined || found.length < limit ? "" : placeOfList(last);
}

export interface RequestedListFile {
  uploadId: string;
  part: ListPart;
  sha256: string;
}

const sha256Form = /^[0-9a-fA-F]{64}$/;

/** Source and files of a list. Refuses INVALID_INPUT naming the fault. */
export function loadFromWire({ source: named, files }: LoadScreeningListRequest): {
  source: ListSource;
  files: RequestedListFile[];
} {
  const source = oneOf(listSources, named, "source");
  if (files.length === 0) throw invalidInput("files", "must name the uploaded file");
  const isOfac = source === "OFAC_SDN";
  if (files.length > (isOfac ? 4 : 1)) throw invalidInput("files", `of ${source} are ${isOfac ? "at most 4" : "one"}`);
  const requested = files.map(({ uploadId, part, sha256 }, index) => {
    const at = `files.${index}`;
    if (!sha256Form.test(sha256)) throw invalidInput(`${at}.sha256`, "must be 64 hexadecimal digits");
    // Of OFAC alone the main file is one of several.
    const known = isOfac ? (listParts.filter((one) => one !== "") as ListPart[]) : ([""] as const);
    const which = isOfac && part === "" ? "SDN" : oneOf<ListPart>(known, part, `${at}.part`);
    return { uploadId: idFromWire(uploadId, `${at}.uploadId`), part: which, sha256: sha256.toLowerCase() };
  });
  requested.forEach(({ part }, index) => {
    if (requested.findIndex((one) => one.part === part) !== index)
      throw invalidInput(`files.${index}.part`, "is named twice");
  });
  if (isOfac && !requested.some(({ part }) => part === "SDN")) throw invalidInput("files", "must have the part SDN");
  return { source, files: requested };
}
