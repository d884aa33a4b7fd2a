import { isDeepStrictEqual } from "node:util";
import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import {
  emailKey,
  type CustomerRecord,
  type CustomerDetails,
  type UserRecord,
  type ProfileChange,
} from "../domain/people.js";
import type { CustomerSought } from "../domain/customer-find.js";
import { findKeysOf } from "../domain/find-keys.js";
import { searchWordsOf } from "../domain/search-words.js";
import { customerCandidates } from "./customer-candidates.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { StoredUser } from "./collections.js";
import { customerLists, type CustomerFilter, type Page } from "./customer-lists.js";
import { createCustomerSealing } from "./customer-sealing.js";
import { customerFilter, duplicateRefusal, wordsAsRead, type CustomerKey } from "./people-filters.js";

/** The people of one tenant. Personal data is sealed on its way in and opened on its way out. */
export function peoplePart(users: RecordCollection<StoredUser, "userId">, cipher: FieldCipher, tenantId: string) {
  const { opened, sealed, sealPhone, sealDetails, hash } = createCustomerSealing(cipher, tenantId);
  const lookUp = (number: string) => cipher.lookUp(tenantId, "phone", number);
  const lists = customerLists({ users, tenantId, lookUp });
  const candidatesOf = customerCandidates({ users, hash, lookUp });
  const one = (found: StoredUser | undefined) => (found === undefined ? undefined : opened(found));
  const many = (found: StoredUser[]) => found.map(opened);

  /**
   * From the record as it has become: name and address may have been changed by two people at once.
   */
  async function renewFoundBy(found: StoredUser | undefined, session: ClientSession): Promise<void> {
    const person = found === undefined ? undefined : opened(found).customer;
    if (found?.customer === undefined || person === undefined) return;
    const { searchWords: words, findKeys: keys } = found.customer;
    const searchWords = searchWordsOf({ ...found, customer: person });
    const findKeys = findKeysOf(person, hash);
    if (isDeepStrictEqual([searchWords, findKeys], [words, keys])) return;
    const set = { "customer.searchWords": searchWords, "customer.findKeys": findKeys };
    await users.updateOne({ _id: found.userId }, { $set: set }, { session });
  }

  /**
   * With the words that follow from it. False where somebody changed
   * meanwhile what they follow from.
   */
  async function writeStatus(found: StoredUser, customer: NonNullable<StoredUser["customer"]>): Promise<boolean> {
    const { standing } = customer;
    const words = found.erasedAt === undefined ? searchWordsOf({ ...found, customer }) : undefined;
    const set = { "customer.standing": standing, ...(words !== undefined && { "customer.searchWords": words }) };
    return (await users.updateOne(wordsAsRead(found), { $set: set } as object)).matchedCount === 1;
  }

  return {
    findUser: async (userId: string, session?: ClientSession) => one(await users.findOne({ _id: userId }, { session })),
    /** Those who are there, in no order. */
    findUsers: async (userIds: readonly string[]): Promise<UserRecord[]> =>
      many(await users.find({ _id: { $in: [...userIds] } })),
    findUserByEmail: async (emailKey: string) => (emailKey === "" ? undefined : one(await users.findOne({ emailKey }))),

    /** Refuses ALREADY_EXISTS for an e-mail or customer code that is taken in the tenant. */
    async insertUser(user: UserRecord, session: ClientSession): Promise<void> {
      try {
        await users.insertOne(sealed(user), { session });
      } catch (error) {
        throw duplicateRefusal(error) ?? error;
      }
    },

    /**
     * Replaces the hash of the same password, unless it has changed since it was read. True where
     * it was replaced.
     */
    async replacePasswordHash(userId: string, from: string, to: string): Promise<boolean> {
      const unchanged = { _id: userId, passwordHash: from, erasedAt: { $exists: false } };
      const { matchedCount } = await users.updateOne(unchanged, { $set: { passwordHash: to } });
      return matchedCount === 1;
    },

    /**
     * Sets a password that the person chose, unless it has changed since it was read. True where it
     * was set.
     */
    async setOwnPassword(userId: string, from: string, to: string, session: ClientSession): Promise<boolean> {
      const unchanged = { _id: userId, passwordHash: from, erasedAt: { $exists: false } };
      const change = { $set: { passwordHash: to }, $unset: { passwordForOneSignIn: true as const } };
      const { matchedCount } = await users.updateOne(unchanged, change, { session });
      return matchedCount === 1;
    },

    findCustomer: async (key: CustomerKey, session?: ClientSession): Promise<CustomerRecord | undefined> => {
      // A phone number is not unique, so the customer who gave it first is found.
      const options = "phoneNumber" in key ? { session, sort: { "customer.id": 1 as const } } : { session };
      const found = await users.findOne(customerFilter(key, cipher, tenantId), options);
      return one(found) as CustomerRecord | undefined;
    },

    /** Those who are there, in no order. */
    findCustomers: async (ids: readonly string[], codes: readonly string[]): Promise<CustomerRecord[]> => {
      const named = [
        ...(ids.length > 0 ? [{ "customer.id": { $in: [...ids] } }] : []),
        ...(codes.length > 0 ? [{ "customer.code": { $in: [...codes] } }] : []),
      ];
      return named.length === 0 ? [] : (many(await users.find({ $or: named })) as CustomerRecord[]);
    },

    /**
     * Customers after the given one: in the order of their ids, or of
     * the words that they are found by.
     */
    async listCustomers(filter: CustomerFilter, page: Page) {
      const { users: found, endAt } = await lists.list(filter, page);
      return { customers: many(found) as CustomerRecord[], endAt };
    },

    /** Customers who may be the one that is sought; whoever asks compares them. */
    listCandidates: async (sought: CustomerSought, agentId: string | undefined) =>
      many(await candidatesOf(sought, agentId)) as CustomerRecord[],

    /** Ids of the managers who may log in. */
    listManagerIds: async (session: ClientSession): Promise<string[]> =>
      (await users.find({ role: "MANAGER", disabled: { $exists: false } }, { session, sort: { _id: 1 } })).map(
        ({ userId }) => userId,
      ),

    /** Staff in the order of their ids, after the given one. */
    listStaff: async ({ after, limit }: Page): Promise<UserRecord[]> =>
      many(
        await users.find(
          { role: { $in: ["MANAGER", "AGENT", "CASHIER"] }, _id: { $gt: after } },
          { sort: { _id: 1 }, limit },
        ),
      ),

    /**
     * Keeps what compliance came to, unless something newer is kept. False where there is no such
     * customer.
     */
    async recordStatus(customerId: string, standing: NonNullable<CustomerDetails["standing"]>): Promise<boolean> {
      for (;;) {
        const found = await users.findOne({ "customer.id": customerId });
        if (found?.customer === undefined) return false;
        if ((found.customer.standing?.sequence ?? -1) >= standing.sequence) return true;
        if (await writeStatus(found, { ...found.customer, standing })) return true;
      }
    },

    /** Puts a customer under an agent, or under none. Undefined where there is no such customer. */
    async assignCustomer(customerId: string, agentId: string | undefined, session: ClientSession) {
      const change =
        agentId === undefined
          ? { $unset: { "customer.agentId": true as const } }
          : { $set: { "customer.agentId": agentId } };
      const found = await users.findOneAndUpdate({ "customer.id": customerId }, change, {
        session,
        returnDocument: "after",
      });
      return one(found) as CustomerRecord | undefined;
    },

    /**
     * Writes what has changed of a person; the display name of a customer follows from their names.
     * `isForCompliance` counts it as a change that compliance is told of. Refuses ALREADY_EXISTS
     * for an e-mail address that is somebody else's.
     */
    async updateProfile(
      user: UserRecord,
      change: ProfileChange,
      isForCompliance: boolean,
      session: ClientSession,
    ): Promise<UserRecord | undefined> {
      const set: Record<string, unknown> =
        change.email === undefined ? {} : { email: change.email, emailKey: emailKey(change.email) };
      const unset: Record<string, true> = {};
      // A name that is not changed is not written: somebody else may have changed it since it was
      // read.
      if (user.customer === undefined) {
        if (change.name !== undefined) set["name"] = change.name;
      } else {
        if (change.firstName !== undefined || change.lastName !== undefined) {
          const { firstName = user.customer.firstName, lastName = user.customer.lastName } = change;
          Object.assign(set, {
            name: `${firstName} ${lastName}`,
            "customer.firstName": firstName,
            "customer.lastName": lastName,
          });
        }
        if (change.phoneNumber !== undefined) {
          const { phone } = sealPhone(user.userId, change.phoneNumber);
          if (phone === undefined) unset["customer.phone"] = true;
          else set["customer.phone"] = phone;
        }
        if (change.details !== undefined) {
          set["customer.details"] = sealDetails(user.userId, change.details).details;
        }
        for (const [member, chosen] of Object.entries(change.messages ?? {})) {
          set[`customer.messages.${member}`] = chosen;
        }
      }
      const update = {
        $set: set,
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
        ...(isForCompliance ? { $inc: { [user.customer ? "customer.revision" : "staffRevision"]: 1 } } : {}),
      };
      const living = { _id: user.userId, erasedAt: { $exists: false } };
      try {
        const found = await users.findOneAndUpdate(living, update as object, { session, returnDocument: "after" });
        await renewFoundBy(found, session);
        return one(found);
      } catch (error) {
        throw duplicateRefusal(error) ?? error;
      }
    },

    /** Notes that compliance compares them with lists, or that there is nobody left to compare. */
    async noteIntroduced(userId: string): Promise<void> {
      await users.updateOne({ _id: userId }, { $set: { isIntroduced: true } });
    },

    /** The first reason stays. Undefined where there is no such user. */
    async disableUser(userId: string, disabled: NonNullable<UserRecord["disabled"]>, session: ClientSession) {
      const enabled = { _id: userId, disabled: { $exists: false } };
      await users.updateOne(enabled, { $set: { disabled } }, { session });
      return one(await users.findOne({ _id: userId }, { session }));
    },
    async enableUser(userId: string, session: ClientSession) {
      const living = { _id: userId, erasedAt: { $exists: false } };
      const change = { $unset: { disabled: true as const } };
      return one(await users.findOneAndUpdate(living, change, { session, returnDocument: "after" }));
    },

    /**
     * Takes out of the record what says who it was; the record itself and its ids stay for the
     * books.
     */
    async eraseCustomer(customerId: string, at: Date, by: string, reason: string, session: ClientSession) {
      const email = `${customerId}@erased.invalid`;
      const set = {
        email,
        emailKey: email,
        name: "erased",
        passwordHash: "",
        "customer.firstName": "erased",
        "customer.lastName": "erased",
        erasedAt: at,
        disabled: { at, by, reason },
      };
      const gone = {
        "customer.phone": true,
        "customer.details": true,
        "customer.messages": true,
        "customer.searchWords": true,
        "customer.findKeys": true,
        factors: true,
      };
      await users.updateOne(
        { "customer.id": customerId, erasedAt: { $exists: false } },
        { $set: set, $unset: gone } as object,
        { session },
      );
      return one(await users.findOne({ "customer.id": customerId }, { session })) as CustomerRecord | undefined;
    },
  };
}
