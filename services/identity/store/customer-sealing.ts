import type { FieldCipher } from "../credentials/sealing.js";
import type { UserRecord } from "../domain/people.js";
import type { PersonalDetails } from "../domain/personal-details.js";
import { findKeysOf, type KeyedHash } from "../domain/find-keys.js";
import { searchWordsOf } from "../domain/search-words.js";
import type { StoredCustomer, StoredUser } from "./collections.js";

export type CustomerSealing = ReturnType<typeof createCustomerSealing>;

/**
 * Seals what customers of one tenant say of themselves on its way in, and opens it on its way out.
 */
export function createCustomerSealing(cipher: FieldCipher, tenantId: string) {
  const phoneContext = (userId: string) => `${tenantId}/${userId}/phone`;
  const detailsContext = (userId: string) => `${tenantId}/${userId}/details`;

  function sealPhone(userId: string, phoneNumber: string): Pick<StoredCustomer, "phone"> {
    if (phoneNumber === "") return {};
    const lookUp = cipher.lookUp(tenantId, "phone", phoneNumber);
    return { phone: { ...cipher.seal(phoneNumber, phoneContext(userId)), lookUp } };
  }

  function sealDetails(userId: string, details: PersonalDetails | undefined): Pick<StoredCustomer, "details"> {
    if (details === undefined) return {};
    return { details: cipher.seal(JSON.stringify(details), detailsContext(userId)) };
  }

  const hash: KeyedHash = (kind, text) => cipher.lookUp(tenantId, kind, text);

  return {
    hash,
    sealPhone,
    sealDetails,
    opened(user: StoredUser): UserRecord {
      const { customer, ...rest } = user;
      if (customer === undefined) return rest;
      const { phone, details, searchWords: _words, findKeys: _keys, ...others } = customer;
      const phoneNumber = phone === undefined ? "" : cipher.open(phone, phoneContext(user.userId));
      if (details === undefined) return { ...rest, customer: { ...others, phoneNumber } };
      const known = JSON.parse(cipher.open(details, detailsContext(user.userId))) as PersonalDetails;
      return { ...rest, customer: { ...others, phoneNumber, details: known } };
    },
    sealed<U extends UserRecord>(user: U) {
      const { customer, ...rest } = user;
      if (customer === undefined) return rest;
      const { phoneNumber, details, ...others } = customer;
      const hidden = { ...sealPhone(user.userId, phoneNumber), ...sealDetails(user.userId, details) };
      const found = { searchWords: searchWordsOf({ ...rest, customer }), findKeys: findKeysOf(customer, hash) };
      return { ...rest, customer: { ...others, ...hidden, ...found } };
    },
  };
}
