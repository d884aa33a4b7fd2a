import type { ListSource } from "../domain/list-entry.js";
import { parseCustom } from "./custom.js";
import { parseEu } from "./eu.js";
import type { ListFile, ParsedList } from "./list-file.js";
import { parseOfac } from "./ofac.js";
import type { InflationLimits } from "./ods-rows.js";
import { parseUk } from "./uk.js";
import { parseUn } from "./un.js";

/**
 * Reads a list's published files as they come. OFAC's are SDN and, where they are there,
 * ALT, ADD and COMMENTS; every other list is one file. Names are as the list writes
 * them: OFAC's people are "FAMILY, Given". Reading the entries throws a ListFault with
 * the line where a file is no such list.
 */
export function parseList(source: ListSource, files: readonly ListFile[], limits?: InflationLimits): ParsedList {
  switch (source) {
    case "OFAC_SDN":
      return parseOfac(files);
    case "EU":
      return parseEu(files);
    case "UN":
      return parseUn(files);
    case "UK":
      return parseUk(files, limits);
    case "CUSTOM":
    case "PEP":
      return parseCustom(files);
  }
}
