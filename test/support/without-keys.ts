import type { TextCipher } from "../../services/compliance/screening/store/screening-cipher.js";

const noKeys = () => Promise.reject(new Error("nothing is sealed or opened here: there are no keys"));

/** For readers of compliance's database beside its processes, which alone have the keys. */
export const withoutKeys: TextCipher = { seal: noKeys, open: noKeys };
