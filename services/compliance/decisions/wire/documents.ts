import {
  DocumentState as WireState,
  type Document as WireDocument,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import type { DocumentRecord } from "../domain/document.js";

export function documentToWire(document: DocumentRecord): WirePartial<WireDocument> {
  const { state, sizeBytes, ...rest } = document;
  return { ...rest, sizeBytes: BigInt(sizeBytes), state: WireState[`DOCUMENT_STATE_${state}`] };
}
