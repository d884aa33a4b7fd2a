// What services tell of a thing has the gateway's own form.
export * from "../services/shared/api/wire.js";
