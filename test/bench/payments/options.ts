import { cpus } from "node:os";

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

// One more than processors where there are few: none waits for its next hash. Payments, and what
// they are compared with, hash as many; by itself identity leaves a processor to others.
export const hashesAtOnce = Math.min(4, cpus().length + 1);
