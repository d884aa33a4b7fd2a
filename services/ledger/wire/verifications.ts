import {
  VerificationStatus as WireStatus,
  type Verification as WireVerification,
} from "../../../proto/gen/ledger/v1/ledger.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { StoredVerification } from "../domain/verification.js";

export function verificationToWire(stored: StoredVerification): WirePartial<WireVerification> {
  const { verificationId, status, pass, checkedSeq, lastSeq, faults, startedAt, startedBy, endedAt, headHash } = stored;
  return {
    verificationId,
    status: WireStatus[`VERIFICATION_STATUS_${status}`],
    checkedSequence: checkedSeq,
    lastSequence: lastSeq,
    pass,
    faults: faults.map(({ seq, key, accountId, what }) => ({
      sequence: seq ?? 0n,
      transferKey: key ?? "",
      accountId: accountId ?? "",
      difference: what,
    })),
    startedAt,
    startedBy,
    endedAt,
    headHash: headHash ?? new Uint8Array(),
  };
}
