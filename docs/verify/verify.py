#!/usr/bin/env python3
"""Proves a package of closed books offline, by Python's own library alone: python3 verify.py FOLDER
Checked are the chain over all transfers, the balance after each, opening balances, trial balance, general ledger, totals
and table of transfers against it, and every file's hash. Ends with 1 and the first fault: file, line (or 0), what."""
import csv, hashlib, json, os, re, struct, sys
from datetime import date

MODES = {"POSTED": 1, "PENDING": 2, "POST_PENDING": 3, "VOID_PENDING": 4, "EXPIRE_PENDING": 5}
FIELDS = ("seq time key mode debit credit currency amount debitBalance creditBalance kind refersTo due effective day "
          "belongsTo description interaction createdBy service link metadata hash").split()
TABLE = ("sequence day inserted_at mode transfer kind debit_account debit_own credit_account credit_own currency "
         "amount refers_to description").split()
SIDES = ("debits", "credits")
FORMULA, AMOUNT = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]"), re.compile(r"-?[0-9]+(\.[0-9]+)?")

class Fault(Exception): pass  # Its file, its line, what it is.

def cell(text):
    """As a table has it: what a spreadsheet would take for a formula stands behind an apostrophe."""
    return "'" + text if FORMULA.match(text) and not AMOUNT.fullmatch(text) else text

def text(value):
    data = value.encode("utf-8")
    return struct.pack(">I", len(data)) + data

def optional(value):
    return b"\0" if value is None else b"\1" + struct.pack(">q", value)

def day_number(iso):
    return date.fromisoformat(iso).toordinal() - date(1970, 1, 1).toordinal()

def canonical(t, previous):
    """What the chain hashes of a transfer, version 1: docs/decisions/0002-ledger-canonical-bytes.md."""
    belongs, link = t["belongsTo"], t["link"]
    return b"".join([
        b"\1", previous, struct.pack(">qq", t["seq"], t["time"]), text(t["key"]), bytes([MODES[t["mode"]]]),
        text(t["debit"]), text(t["credit"]), text(t["currency"]),
        struct.pack(">qqq", int(t["amount"]), int(t["debitBalance"]), int(t["creditBalance"])),
        text(t["kind"]), text(t["refersTo"]), optional(t["due"]),
        struct.pack(">qq", t["effective"], day_number(t["day"])),
        optional(None if belongs is None else day_number(belongs)),
        text(t["description"]), text(t["interaction"]), text(t["createdBy"]), text(t["service"]),
        text(link[0]), struct.pack(">II", link[1], link[2]), struct.pack(">I", len(t["metadata"])),
        *[text(part) for pair in t["metadata"] for part in pair],
    ])

class Package:
    def __init__(self, folder):
        # Debits less credits by sequence; both sides by what counts for the period: of accounts, of days.
        self.folder, self.account, self.balance, self.sums, self.days = folder, {}, {}, {}, {}

    def check(self):
        self.manifest()
        accounts = [json.loads(entry) for _line, entry in self.lines("accounts.jsonl")]
        self.account = {account["account"]: account for account in accounts}
        for part in (self.opening, self.transfers, self.trial_balance, self.general_ledger, self.files):
            part()

    def open(self, name, mode="r", **how):
        return open(os.path.join(self.folder, name), mode, **(how if "b" in mode else {"encoding": "utf-8", **how}))

    def lines(self, name):
        return enumerate(self.open(name, newline="\n"), 1)

    def rows(self, name, columns):
        reader = csv.reader(self.open(name, newline=""), strict=True)
        for row in reader:
            if len(row) != len(columns) or (reader.line_num == 1 and row != columns):
                raise Fault(name, reader.line_num, f"is not of the columns {','.join(columns)}")
            if reader.line_num > 1:
                yield reader.line_num, dict(zip(columns, row))

    def minor(self, where, amount, currency):
        whole, _, rest = amount.partition(".")
        if len(rest) != self.about["currencies"].get(currency, -1) or not (whole.removeprefix("-") + rest).isdigit():
            raise Fault(*where, f"{amount} is no amount of {currency}")
        return int(whole + rest)

    def both(self, where, row):
        return [self.minor(where, row[side], row["currency"]) for side in SIDES]

    def manifest(self):
        data = self.open("manifest.json", "rb").read()
        body, mark, tail = data.rpartition(b',\n "sha256": "')
        if not mark or tail != hashlib.sha256(body).hexdigest().encode() + b'"\n}\n':
            raise Fault("manifest.json", data.count(b"\n"), "it was changed: its own hash is another one")
        self.about = json.loads(data)
        self.own = {entry["code"]: (cell(entry["account"]), cell(entry["name"])) for entry in self.about["mapping"]}

    def book(self, account, day, debits, credits):
        name = account["account"]
        self.balance[name] = self.balance.get(name, 0) + debits - credits
        if day <= self.about["last"]:
            for table, key in ((self.sums, name), (self.days, (account["code"], account["currency"], day))):
                sums = table.setdefault(key, [0, 0])
                sums[:] = [sums[0] + debits, sums[1] + credits]

    def opening(self):
        name, total, known = "opening-balances.csv", {}, {cell(name): account for name, account in self.account.items()}
        for line, row in self.rows(name, ["account", "code", "currency", "counts_for", *SIDES]):
            account, day, currency = known.get(row["account"]), row["counts_for"], row["currency"]
            if account is None or (account["code"], account["currency"]) != (row["code"], currency):
                raise Fault(name, line, f"no account {row['account']} of {row['code']} in {currency}")
            if day and (day_number(day) < 0 or day <= (self.about["openedAfter"] or "")):
                raise Fault(name, line, f"{day} was closed before")
            debits, credits = self.both((name, line), row)
            self.book(account, day, debits, credits)
            total[currency] = total.get(currency, 0) + debits - credits
        if any(total.values()):
            raise Fault(name, 0, f"debits and credits differ, minor units: {total}")

    def transfers(self):
        name, about = "transfers.jsonl", self.about
        hash, seq, time = bytes.fromhex(about["previousHash"]), about["afterSequence"], 0
        if seq == 0 and hash != hashlib.sha256(text("manilla.ledger.genesis.v1") + text(about["tenant"])).digest():
            raise Fault("manifest.json", 0, "the first hash is not the tenant's")
        table = self.rows("transfers.csv", TABLE)
        for line, entry in self.lines(name):
            t = json.loads(entry)
            if list(t) != FIELDS or t["seq"] != seq + 1 or t["time"] < time:
                raise Fault(name, line, f"is not the transfer after {seq}")
            hash, seq, time = hashlib.sha256(canonical(t, hash)).digest(), t["seq"], t["time"]
            if hash.hex() != t["hash"]:
                raise Fault(name, line, "does not fit the chain")
            moved = int(t["amount"]) if t["mode"] in ("POSTED", "POST_PENDING") else 0
            for side, debits, credits in (("debit", moved, 0), ("credit", 0, moved)):
                account = self.account.get(t[side])
                if account is None or account["currency"] != t["currency"]:
                    raise Fault(name, line, f"no account {t[side]} in {t['currency']}")
                self.book(account, t["day"], debits, credits)
                normal = self.balance[t[side]] * (1 if account["type"] in ("ASSET", "EXPENSE") else -1)
                if normal != int(t[f"{side}Balance"]):
                    raise Fault(name, line, f"the balance of {t[side]} comes to {normal}, minor units")
            self.row(t, *next(table, (0, None)))
        end = (about["throughSequence"], about["headHash"], about["transfers"])
        if (seq, hash.hex(), seq - about["afterSequence"]) != end or next(table, None) is not None:
            raise Fault(name, 0, f"does not end with transfer {end[0]} and its hash, number {end[2]}")

    def row(self, t, line, row):
        own = [self.own[self.account[t[side]]["code"]][0] for side in ("debit", "credit")]
        debit, credit = cell(t["debit"]), cell(t["credit"])
        said = [cell(t["key"]), t["mode"], t["day"], t["kind"], debit, own[0], credit, own[1], t["currency"]]
        names = "sequence transfer mode day kind debit_account debit_own credit_account credit_own currency".split()
        if row is None or [row[name] for name in names] != [str(t["seq"]), *said]:
            raise Fault("transfers.csv", line, f"is not transfer {t['seq']}")
        if self.minor(("transfers.csv", line), row["amount"], t["currency"]) != int(t["amount"]):
            raise Fault("transfers.csv", line, f"transfer {t['seq']} moves {t['amount']} minor units")

    def trial_balance(self):
        name, codes, totals = "trial-balance.csv", {}, {}
        for account, (debits, credits) in self.sums.items():
            sums = codes.setdefault((self.account[account]["code"], self.account[account]["currency"]), [0, 0])
            sums[:] = [sums[0] + debits, sums[1] + credits]
        columns = ["own_account", "own_name", "code", "type", "currency", "accounts", *SIDES]
        for line, row in self.rows(name, columns):
            found, said = codes.pop((row["code"], row["currency"]), [0, 0]), self.both((name, line), row)
            if said != found or (row["own_account"], row["own_name"]) != self.own.get(row["code"]):
                raise Fault(name, line, f"{row['code']} in {row['currency']} comes to {found}, minor units")
            total = totals.setdefault(row["currency"], [0, 0])
            total[:] = [total[0] + said[0], total[1] + said[1]]
        self.none_left(name, codes)
        for entry in self.about["totals"]:
            said = self.both(("manifest.json", 0), entry)
            if said != totals.get(entry["currency"]) or said[0] != said[1]:
                raise Fault("manifest.json", 0, f"the totals of {entry['currency']} differ: {totals}")

    def general_ledger(self):
        name, running = "general-ledger.csv", {}
        for line, row in self.rows(name, ["own_account", "own_name", "code", "currency", "day", *SIDES, "balance"]):
            of, said = (row["code"], row["currency"]), self.both((name, line), row)
            found = self.days.pop((*of, row["day"]), None)
            running[of] = running.get(of, 0) + said[0] - said[1]
            if said != found or running[of] != self.minor((name, line), row["balance"], of[1]):
                raise Fault(name, line, f"{of[0]} in {of[1]} moved {found}, minor units, to {running[of]}")
        self.none_left(name, self.days)

    def none_left(self, name, table):
        for key in [key for key, sums in table.items() if sums != [0, 0]]:
            raise Fault(name, 0, f"lacks {key}")

    def files(self):
        for entry in self.about["files"]:
            with self.open(entry["name"], "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                if (digest, file.tell()) != (entry["sha256"], entry["bytes"]):
                    raise Fault(entry["name"], 0, "its bytes are not those that the manifest names")

def main(folder):
    package = Package(folder)
    try:
        package.check()
    except Fault as fault:
        return print("{}:{}: {}".format(*fault.args)) or 1
    except (OSError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, csv.Error, struct.error) as err:
        return print(f"{folder}: cannot be read: {err!r}") or 1
    print("OK: {period}: {transfers} transfers through {throughSequence}, {headHash}".format(**package.about))
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
