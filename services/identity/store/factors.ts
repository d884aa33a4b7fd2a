import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { maxPinMisses, type UserFactorsRecord } from "../domain/factors.js";
import type { StoredUser } from "./collections.js";

interface FactorChoice {
  otp: boolean;
  pin: boolean;
}

/** Second factors of one tenant's people. */
export function factorPart(users: RecordCollection<StoredUser, "userId">) {
  return {
    async setTotp(
      userId: string,
      totp: NonNullable<UserFactorsRecord["totp"]>,
      session: ClientSession,
    ): Promise<boolean> {
      const unconfirmed = { _id: userId, "factors.totp.confirmedAt": { $exists: false }, erasedAt: { $exists: false } };
      return (await users.updateOne(unconfirmed, { $set: { "factors.totp": totp } }, { session })).matchedCount === 1;
    },
    /**
     * Uses up a code's time step, and confirms the authenticator: true for the one who was first.
     */
    async useTotpStep(userId: string, sealed: string, step: number, now: Date): Promise<boolean> {
      const unused = { _id: userId, "factors.totp.secret.sealed": sealed, "factors.totp.lastStep": { $lt: step } };
      const { matchedCount } = await users.updateOne(unused, {
        $set: { "factors.totp.lastStep": step },
        $min: { "factors.totp.confirmedAt": now },
      });
      return matchedCount === 1;
    },
    removeTotp: (userId: string, session: ClientSession) =>
      users.updateOne({ _id: userId }, { $unset: { "factors.totp": true } }, { session }),

    /**
     * Replaces the PIN that was there when the owner was asked for their proof; false where it has
     * changed since.
     */
    async setPin(userId: string, from: string | undefined, hash: string, session: ClientSession): Promise<boolean> {
      const unchanged = {
        _id: userId,
        erasedAt: { $exists: false },
        "factors.pin.hash": from === undefined ? { $exists: false } : from,
      };
      const change = { $set: { "factors.pin": { hash, misses: 0 } } };
      return (await users.updateOne(unchanged as object, change, { session })).matchedCount === 1;
    },
    /**
     * Counts a try before it is made: false where the PIN is locked. Parallel guesses cannot pass
     * the limit.
     */
    async beginPinTry(userId: string): Promise<boolean> {
      const open = { _id: userId, "factors.pin.misses": { $lt: maxPinMisses } };
      return (await users.updateOne(open, { $inc: { "factors.pin.misses": 1 } })).matchedCount === 1;
    },
    forgivePin: (userId: string, hash: string) =>
      users.updateOne({ _id: userId, "factors.pin.hash": hash }, { $set: { "factors.pin.misses": 0 } }),

    /**
     * Replaces the choice that was there when the owner was asked for their proof; false where it
     * has changed since.
     */
    async chooseFactors(
      userId: string,
      from: FactorChoice | undefined,
      chosen: FactorChoice,
      session: ClientSession,
    ): Promise<boolean> {
      const unchanged = {
        _id: userId,
        erasedAt: { $exists: false },
        ...(from === undefined
          ? { "factors.chosen": { $exists: false } }
          : { "factors.chosen.otp": from.otp, "factors.chosen.pin": from.pin }),
      };
      const change = { $set: { "factors.chosen": chosen } };
      return (await users.updateOne(unchanged as object, change, { session })).matchedCount === 1;
    },
    resetFactors: (userId: string, at: Date, session: ClientSession) =>
      users.updateOne(
        { _id: userId, erasedAt: { $exists: false } },
        { $unset: { factors: true }, $set: { factorsResetAt: at } },
        { session },
      ),
  };
}
