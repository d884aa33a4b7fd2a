import type { Edge } from "./edge.js";

/** What the played service answers. */
export const investmentSamples: Edge["fakes"]["investment"] = {};
