// What services tell of a thing has the gateway's own form.
export * from "../services/platform/events/shapes/wire.js";
