import { defaultHashesAtOnce } from "../../../services/identity/credentials/passwords.js";

export const clients = 32;

export const quick = process.argv.includes("--quick");

export const seconds = quick ? 4 : 10;

export const rounds = quick ? 1 : 5;

// A process is at its speed after some thousand payments.
export const warmUp = quick ? 500 : 5_000;

/** `-- --statements` leaves payments out, and keeps nothing. */
export const statementsOnly = process.argv.includes("--statements");

export const entriesWanted = quick ? 20_000 : 100_000;

export const production = { memoryKib: 19_456, passes: 2 };

const given = process.argv.indexOf("--at-once");

// What ships, where `-- --at-once N` says nothing. Payments, and what they
// are compared with, hash as many.
export const hashesAtOnce = given === -1 ? defaultHashesAtOnce() : Number(process.argv[given + 1]);

/** `-- --passwords` measures payments with production passwords alone, and keeps nothing. */
export const passwordsOnly = process.argv.includes("--passwords");
