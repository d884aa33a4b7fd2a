import { findGoTool } from "./go-tool.js";

/**
 * Path of minisign. Throws where there is none and no Go: a signature that
 * nothing has verified is not tested.
 */
export function findMinisign(): Promise<string> {
  return findGoTool({
    name: "minisign",
    version: "0.3.0",
    source: "aead.dev/minisign/cmd/minisign",
    instead: "install it",
  });
}
