import type { AskApprovalRequest } from "../../../proto/gen/identity/v1/approvals.js";
import {
  maxApprovalChanges,
  maxChangeText,
  maxSummary,
  type ApprovalChange,
} from "../../platform/approvals/approval-changes.js";
import { createFaults, type Faults } from "../../kernel/text/faults.js";
import { moneyFromWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { approvalKinds, type ApprovalKind } from "../domain/approvals.js";
import { checkKey } from "../domain/requests.js";
import { reasonFromWire } from "../../kernel/text/reason.js";

const usualLifeS = 7 * 86_400;
const maxLifeS = 30 * 86_400;
const maxPayload = 8_192;

/** What a service asks for. Refuses INVALID_INPUT naming the path of every fault. */
export function approvalRequestFromWire(request: AskApprovalRequest) {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const kind = approvalKinds.find((one) => one === request.kind);
  if (kind === undefined) faults.add("kind", `must be one of ${approvalKinds.join(", ")}`);
  const text = (path: "subject" | "summary") => faults.of(() => lineFromWire(request[path], path));
  const [subject, summary] = [text("subject"), text("summary")];
  const askedBecause = faults.of(() => reasonFromWire(request.reason));
  const amount = request.amount && faults.of(() => moneyFromWire(request.amount, "amount"));
  if (Buffer.byteLength(request.payloadJson) > maxPayload) faults.add("payloadJson", "must not be above 8 kB");
  const { concernedUserId } = request;
  if (concernedUserId.length > 128) faults.add("concernedUserId", "must have at most 128 characters");
  const { changes, moreChanges } = request;
  checkChanges(changes, moreChanges, faults);
  const lifeS = request.expiresInS === 0 ? usualLifeS : request.expiresInS;
  if (lifeS < 60 || lifeS > maxLifeS) faults.add("expiresInS", `must be 60 to ${maxLifeS}`);
  faults.refuseIfAny();
  return {
    kind: kind as ApprovalKind,
    subject: subject!,
    summary: summary!,
    askedBecause: askedBecause!,
    payloadJson: request.payloadJson,
    ...(request.customerId === "" ? {} : { customerId: request.customerId }),
    lifeS,
    ...(concernedUserId === "" ? {} : { concernedUserId }),
    ...(amount === undefined ? {} : { amount }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(moreChanges === 0 ? {} : { moreChanges }),
  };
}

function checkChanges(changes: AskApprovalRequest["changes"], more: number, faults: Faults): void {
  const isTooLong = ({ field, before, after }: ApprovalChange) =>
    field === "" || field.length > 200 || Math.max(before.length, after.length) > maxChangeText;
  if (changes.length > maxApprovalChanges) faults.add("changes", `must be at most ${maxApprovalChanges}`);
  if (more < 0) faults.add("moreChanges", "must not be below 0");
  const bad = changes.findIndex(isTooLong);
  if (bad >= 0)
    faults.add(`changes.${bad}`, `must have a field of 1 to 200 characters, and values of at most ${maxChangeText}`);
}

/** One line that a person wrote. Refuses INVALID_INPUT. */
function lineFromWire(text: string, path: string): string {
  const line = text.trim();
  if (line === "" || line.length > maxSummary || /\p{Cc}/u.test(line)) {
    throw invalidInput(path, `must be 1 to ${maxSummary} characters in one line`);
  }
  return line;
}
