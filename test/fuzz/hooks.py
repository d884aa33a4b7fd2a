"""Puts ids that exist into what schemathesis makes up. KNOWN_IDS names a JSON file: {field name: [value, ...]}."""

import json
import os

import schemathesis
from hypothesis import strategies as st

with open(os.environ["KNOWN_IDS"], encoding="utf-8") as file:
    KNOWN = {name: st.sampled_from(values) for name, values in json.load(file).items() if values}


def with_known_ids(value):
    """Two of three times the ids of `value` are replaced: what is unknown or malformed must be answered, too."""
    if not isinstance(value, dict):
        return st.just(value)
    known = {name: KNOWN[name] for name in value if name in KNOWN}
    if not known:
        return st.just(value)
    replaced = st.fixed_dictionaries(known).map(lambda ids: {**value, **ids})
    return st.one_of(st.just(value), replaced, replaced)


@schemathesis.hook
def flatmap_path_parameters(context, path_parameters):
    return with_known_ids(path_parameters)


@schemathesis.hook
def flatmap_query(context, query):
    return with_known_ids(query)


@schemathesis.hook
def flatmap_body(context, body):
    return with_known_ids(body)
