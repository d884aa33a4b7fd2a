import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { minorDigits } from "../../services/kernel/codes/currencies.js";
import { unpackedDebian, withLibrariesOf } from "./debian-tool.js";
import { isThere, onPath } from "./outside-tools.js";
import { findPythonTool } from "./python-tool.js";

const run = promisify(execFile);

/** Somebody else's program that reads books of text. */
export interface BookChecker {
  /** What it has against a file; empty where it has nothing. */
  faults(file: string): Promise<string>;
  /** "Account currency" to its balance, debits less credits, through a day. */
  balances(file: string, throughDay: string): Promise<Map<string, string>>;
}

const beancount = "3.2.3";
const itsPackages = ["click==8.5.1", "python-dateutil==4.0.0", "regex==2026.11.19", "tzdata==2026.6"];

/** bean-check of the Python package; undefined without Python or a package index. */
export function findBeancount(): BookChecker | undefined {
  const program = findPythonTool("bean-check", beancount, [`beancount==${beancount}`, ...itsPackages]);
  if (program === undefined) return undefined;
  return {
    faults: (file) => faultsOf(program, ["--no-cache", file], process.env),
    async balances(file, throughDay) {
      const python = join(program, "..", "python");
      const { stdout } = await run(python, ["-I", "test/support/read_beancount.py", file, throughDay], maxOutput);
      return new Map(Object.entries(JSON.parse(stdout) as Record<string, string>));
    },
  };
}

/** The one on PATH, else Debian's; undefined on another system, or without network. */
export function findHledger(): BookChecker | undefined {
  const installed = onPath("hledger");
  const folder = installed === undefined ? unpackedDebian("hledger-debian", hledgerPackages) : undefined;
  const program = installed ?? (folder && join(folder, "usr", "bin", "hledger"));
  if (program === undefined) return undefined;
  const environment = { ...(folder === undefined ? process.env : withLibrariesOf(folder)), LANG: "C.UTF-8" };
  return {
    // Strict: each account and each commodity has to be declared, each assertion to hold.
    faults: (file) => faultsOf(program, ["check", "--strict", "-f", file], environment),
    async balances(file, throughDay) {
      const layout = ["--flat", "--no-total", "--layout=bare", "-O", "csv", "--end", dayAfter(throughDay)];
      const options = { env: environment, ...maxOutput };
      const { stdout } = await run(program, ["balance", "-f", file, ...layout], options);
      return new Map(
        stdout
          .trim()
          .split("\n")
          .slice(1)
          .map((line) => line.slice(1, -1).split('","'))
          .map(([account = "", currency = "", amount = ""]) => [`${account} ${currency}`, amount]),
      );
    },
  };
}

// Debian's, with what it is linked with, which a small system may lack.
const hledgerPackages = ["hledger", "libffi8", "libgmp10", "libtinfo6"];
const maxOutput = { maxBuffer: 64 * 1024 * 1024 };

/** Both, or what to skip and why: at depth ci and beyond it throws instead. */
export function findBookCheckers(): { beancount: BookChecker; hledger: BookChecker } | undefined {
  const found = { beancount: findBeancount(), hledger: findHledger() };
  const howToGetBeancount = "bean-check: Python 3 with venv and a package index that pip reaches";
  const howToGetHledger = "hledger: on PATH, or the Debian packages that apt-get reaches";
  const areThere = isThere(found.beancount, howToGetBeancount) && isThere(found.hledger, howToGetHledger);
  return areThere ? { beancount: found.beancount!, hledger: found.hledger! } : undefined;
}

async function faultsOf(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout, stderr } = await run(program, args, { env, ...maxOutput });
    return (stdout + stderr).trim();
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return (stdout + stderr).trim() || String(error);
  }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** "Code currency" to debits less credits, minor units, as a package's trial balance says. */
export async function trialBalanceOf(folder: string): Promise<Map<string, bigint>> {
  const text = await readFile(join(folder, "trial-balance.csv"), "utf8");
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  return new Map(
    rows.map(({ code = "", currency = "", debits = "", credits = "" }) => {
      const [taken, given] = [debits, credits].map((sum) => minorUnits(sum, currency)) as [bigint, bigint];
      return [`${code} ${currency}`, taken - given];
    }),
  );
}

/** What a checker read, added up by the codes of the package's accounts. */
export async function byCode(folder: string, read: ReadonlyMap<string, string>): Promise<Map<string, bigint>> {
  const lines = (await readFile(join(folder, "accounts.jsonl"), "utf8")).trim().split("\n");
  const accounts = lines.map((line) => JSON.parse(line) as { book: string; code: string; currency: string });
  const left = minorOf(read);
  const sums = new Map<string, bigint>();
  for (const { book, code, currency } of accounts) {
    const id = `${code} ${currency}`;
    sums.set(id, (sums.get(id) ?? 0n) + (left.get(`${book} ${currency}`) ?? 0n));
    left.delete(`${book} ${currency}`);
  }
  return new Map([...sums, ...left]);
}

/** The same in minor units, without what comes to nothing. */
export function minorOf(read: ReadonlyMap<string, string>): Map<string, bigint> {
  const all = [...read].map(([id, amount]): [string, bigint] => [id, minorUnits(amount, id.split(" ").at(-1)!)]);
  return new Map(all.filter(([, minor]) => minor !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of any size, unlike parseMoney's. */
function minorUnits(amount: string, currency: string): bigint {
  const [whole = "", decimals = ""] = amount.split(".");
  const digits = minorDigits(currency);
  if (/[1-9]/.test(decimals.slice(digits))) throw new Error(`${amount} is no amount of ${currency}`);
  return BigInt(whole + decimals.slice(0, digits).padEnd(digits, "0"));
}
