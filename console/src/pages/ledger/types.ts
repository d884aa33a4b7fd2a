import type { AnswerOf, api } from "../../lib/api";

export type Verification = AnswerOf<typeof api.ledger.readVerification>;
