import { findGoTool } from "../support/go-tool.js";

/**
 * Path of helm. Throws where there is none and no Go: a chart that
 * nothing has rendered is not tested.
 */
export function findHelm(): Promise<string> {
  return findGoTool({
    name: "helm",
    version: "3.22.0",
    source: "helm.sh/helm/v3/cmd/helm",
    ldflags: "-s -w",
    instead: "put Helm 3.14 or newer on PATH",
  });
}
