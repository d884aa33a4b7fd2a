import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { ApiTokenRecord, ApiTokenSecret } from "../domain/api-tokens.js";

/** API tokens of one tenant. */
export function apiTokenPart(tokens: RecordCollection<ApiTokenRecord, "apiTokenId">) {
  return {
    insertApiToken: (token: ApiTokenRecord, session: ClientSession) => tokens.insertOne(token, { session }),
    findApiToken: (userId: string, id: string, session?: ClientSession) =>
      tokens.findOne({ _id: id, userId }, { session }),
    findApiTokenBySecret: (lookUp: string) => tokens.findOne({ "secrets.lookUp": lookUp }),
    listApiTokens: (userId: string, session?: ClientSession) =>
      tokens.find({ userId }, { sort: { createdAt: -1 }, session }),
    /** Replaces the secrets, unless they have changed since they were read. */
    async replaceApiTokenSecrets(
      token: ApiTokenRecord,
      secrets: ApiTokenSecret[],
      session: ClientSession,
    ): Promise<boolean> {
      const unchanged = {
        _id: token.apiTokenId,
        "secrets.0.lookUp": token.secrets[0]!.lookUp,
        invalidatedAt: { $exists: false },
      };
      const { matchedCount } = await tokens.updateOne(unchanged, { $set: { secrets } }, { session });
      return matchedCount === 1;
    },
    /** The first time stays. */
    async invalidateApiToken(id: string, at: Date, session: ClientSession): Promise<void> {
      const valid = { _id: id, invalidatedAt: { $exists: false } };
      await tokens.updateOne(valid, { $set: { invalidatedAt: at } }, { session });
    },
    /** Ends every token of a user; those that had ended keep their time. */
    async invalidateApiTokensOf(userId: string, at: Date, session: ClientSession): Promise<void> {
      const valid = { userId, invalidatedAt: { $exists: false } };
      await tokens.updateMany(valid, { $set: { invalidatedAt: at } }, { session });
    },
    deleteApiToken: (id: string, session: ClientSession) => tokens.deleteOne({ _id: id }, { session }),
    async noteApiTokenUse(id: string, at: Date): Promise<void> {
      await tokens.updateOne({ _id: id }, { $max: { lastUsedAt: at } });
    },
    deleteApiTokensOf: (userId: string, session: ClientSession) => tokens.deleteMany({ userId }, { session }),
  };
}
