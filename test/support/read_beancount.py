"""Reads a file of Beancount by its own loader: FILE DAY. Prints a JSON object of "account currency" to what was posted
there through DAY, debits less credits, none that is zero; ends with 1 where the loader has anything against the file."""
import collections, datetime, decimal, json, sys
from beancount import loader
from beancount.core import data

decimal.getcontext().prec = 60
entries, errors, _options = loader.load_file(sys.argv[1])
if errors:
    sys.exit("\n".join(error.message for error in errors))
last = datetime.date.fromisoformat(sys.argv[2])
balances = collections.defaultdict(decimal.Decimal)
for entry in data.filter_txns(entries):
    if entry.date <= last:
        for posting in entry.postings:
            balances[f"{posting.account} {posting.units.currency}"] += posting.units.number
print(json.dumps({name: str(amount) for name, amount in balances.items() if amount}))
