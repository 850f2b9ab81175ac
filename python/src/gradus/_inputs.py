"""From what a program holds to the columns that the worker takes. Nothing is computed here but places and lengths."""

from __future__ import annotations

import os
import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from ._messages import Arrays
from .errors import InputError, NotANumber

TOPIC_NAMES = ("query_id", "qid", "topic", "queryId", "q_id", "query", "topic_id")
DOC_NAMES = ("doc_id", "docno", "docid", "doc", "docId", "document", "document_id")
SCORE_NAMES = ("score", "sim", "similarity")
GRADE_NAMES = ("relevance", "label", "grade", "rel", "qrel", "judgment", "judgement")
RANK_NAMES = ("rank",)
GROUP_NAMES = ("iteration", "iter", "subtopic")

Header = dict[str, Any]


def is_path(value: Any) -> bool:
    """Whether something names a file."""
    return isinstance(value, (str, os.PathLike))


def _module(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


# ---------------------------------------------------------------- ids


def ids(values: Any, arrays: Arrays) -> Header:
    """A column of ids, whatever holds it."""
    module = _module(values)
    if module == "pandas":
        return _pandas_ids(values, arrays)
    if module == "polars":
        return _polars_ids(values, arrays)
    if module == "pyarrow":
        return _arrow_ids(values, arrays)
    if module == "numpy":
        return text_ids(values.tolist(), arrays)
    return text_ids(values if isinstance(values, list) else list(values), arrays)


def text_ids(values: list[Any], arrays: Arrays) -> Header:
    """Ids that are texts, or numbers that stand for them; joined and encoded at once."""
    try:
        joined = "\0".join(values)
    except TypeError:
        values = [_id_text(value) for value in values]
        joined = "\0".join(values)
    # an id with the separator in it shows in the count
    if values and joined.count("\0") == len(values) - 1:
        return {"bytes": arrays.bytes(_encoded(joined)), "separator": 0, "count": len(values)}
    encoded = [_encoded(value) for value in values]
    offsets = array("I", accumulate(map(len, encoded), initial=0))
    return {"bytes": arrays.bytes(b"".join(encoded)), "offsets": arrays.counts(offsets)}


def _id_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    # a missing value of pandas, or a number that is none
    if value is None or value != value:
        raise InputError(f"expected an id, found {value}; leave the row out")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _pandas_ids(series: Any, arrays: Arrays) -> Header:
    dtype = series.dtype
    if str(dtype) == "category":
        codes = series.cat.codes.to_numpy()
        if (codes < 0).any():
            raise InputError("expected an id, found a missing value; leave the row out")
        return _coded(codes, text_ids(series.cat.categories.tolist(), arrays), arrays)
    chunked = getattr(series.array, "_pa_array", None)
    if chunked is not None:
        return _arrow_ids(chunked, arrays)
    return text_ids(series.tolist(), arrays)


def _polars_ids(series: Any, arrays: Arrays) -> Header:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return text_ids(series.to_list(), arrays)
    return _arrow_ids(series.to_arrow(), arrays)


def _arrow_ids(column: Any, arrays: Arrays) -> Header:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        if isinstance(column, pa.ChunkedArray):
            # too long for one array of its type
            return text_ids(column.to_pylist(), arrays)
    if column.null_count:
        raise InputError("expected an id, found a missing value; leave the row out")
    if pa.types.is_dictionary(column.type):
        return _coded(column.indices.to_numpy(), _arrow_ids(column.dictionary, arrays), arrays)
    if not pa.types.is_string(column.type):
        if column.nbytes >= 1 << 31:
            return text_ids(column.to_pylist(), arrays)
        column = column.cast(pa.string())
    _, offsets, data = column.buffers()
    start = column.offset * 4
    places = memoryview(offsets)[start : start + (len(column) + 1) * 4]
    content = b"" if data is None else memoryview(data)
    return {"bytes": arrays.add("u8", content, len(content)), "offsets": arrays.add("u32", places, len(column) + 1)}


def _coded(codes: Any, dictionary: Header, arrays: Arrays) -> Header:
    numbers = codes.astype("uint32", copy=False)
    return {"codes": arrays.add("u32", _memory(numbers), len(numbers)), "dictionary": dictionary}


def _memory(values: Any) -> memoryview:
    """The bytes of a NumPy array, one after another."""
    import numpy

    contiguous: Any = numpy.ascontiguousarray(values)
    return memoryview(contiguous).cast("B")


# ---------------------------------------------------------------- numbers


def numbers(values: Any, arrays: Arrays, what: str) -> int:
    """A column of numbers, whatever holds it."""
    module = _module(values)
    try:
        if module in ("pandas", "polars", "pyarrow", "numpy"):
            found = _as_numpy(values, module)
            if found.dtype == "float32":
                return arrays.add("f32", _memory(found), len(found))
            return arrays.add("f64", _memory(found.astype("float64", copy=False)), len(found))
        return arrays.doubles(array("d", values))
    except (TypeError, ValueError) as error:
        raise InputError(f"expected numbers as {what}: {error}") from error


def _as_numpy(values: Any, module: str) -> Any:
    if module == "pandas":
        return values.to_numpy(dtype="float64") if values.dtype != "float32" else values.to_numpy()
    if module == "polars":
        return values.to_numpy()
    if module == "pyarrow":
        import pyarrow as pa

        if isinstance(values, pa.ChunkedArray):
            return values.to_numpy()
        return values.to_numpy(zero_copy_only=False)
    return values


# ---------------------------------------------------------------- runs and judgements


def judgements(value: Any, arrays: Arrays) -> Header:
    """Judgements as an input of a call."""
    if is_path(value):
        return {"path": os.fspath(value)}
    return {"kind": "qrels", "name": "the judgements", **_table(value, arrays, "grade")}


def run(value: Any, arrays: Arrays, name: str) -> Header:
    """A run as an input of a call."""
    if is_path(value):
        return {"path": os.fspath(value)}
    if _module(value) == "ranx" and getattr(value, "name", None):
        name = value.name
    return {"kind": "run", "name": name, "tag": name, **_table(value, arrays, "score")}


_ROWS_OF_PART = 1 << 15
"""About so many rows are put together while the worker scores those before them."""


def run_parts(value: Any) -> Callable[[], Iterator[tuple[Header, Arrays]]] | None:
    """The parts of a run that is worth dividing: nested dicts with many rows. Each has all documents of its topics."""
    if not isinstance(value, dict) or _is_column(value) or not all(isinstance(docs, dict) for docs in value.values()):
        return None
    if sum(map(len, value.values())) < 2 * _ROWS_OF_PART:
        return None

    def parts() -> Iterator[tuple[Header, Arrays]]:
        part: dict[Any, Any] = {}
        rows = 0
        for topic, docs in value.items():
            part[topic] = docs
            rows += len(docs)
            if rows >= _ROWS_OF_PART:
                yield _part(part)
                part, rows = {}, 0
        if part:
            yield _part(part)

    return parts


def _part(value: dict[Any, Any]) -> tuple[Header, Arrays]:
    arrays = Arrays()
    return _nested(value, arrays, "score"), arrays


def _table(value: Any, arrays: Arrays, what: str) -> Header:
    module = _module(value)
    if module == "ranx":
        value = value.to_dict()
    if isinstance(value, Mapping):
        first = next(iter(value.values()), None)
        if _is_column(value) and not isinstance(first, Mapping):
            return _columns(value, list(value.keys()), arrays, what)
        if first is None or isinstance(first, Mapping) or (what == "score" and _is_ranked_list(first)):
            return _nested(value, arrays, what)
        return _columns(value, list(value.keys()), arrays, what)
    if module == "pyarrow":
        return _columns({name: value.column(name) for name in value.column_names}, value.column_names, arrays, what)
    if module in ("pandas", "polars"):
        return _columns(value, list(value.columns), arrays, what)
    if module == "numpy" and value.dtype.names:
        return _columns(value, list(value.dtype.names), arrays, what)
    if isinstance(value, tuple) and len(value) == 3 and not isinstance(value[0], (str, tuple)) and not hasattr(value, "_fields"):
        field = "scores" if what == "score" else "grades"
        return {"topics": ids(value[0], arrays), "docs": ids(value[1], arrays), field: numbers(value[2], arrays, field)}
    if isinstance(value, Iterable):
        return _records(value, arrays, what)
    kind = "a run" if what == "score" else "judgements"
    raise InputError(f"expected {kind}, found {type(value).__name__}; pass {{topic: {{document: {what}}}}}, a table or a path")


def _is_ranked_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value[:1])


def _nested(value: Mapping[Any, Any], arrays: Arrays, what: str) -> Header:
    topics = list(value.keys())
    inner = list(value.values())
    header: Header = {
        "topics": text_ids(topics, arrays),
        "rowsOfTopics": arrays.counts(array("I", map(len, inner))),
        "docs": _inner_ids(inner, arrays),
    }
    if inner and not isinstance(inner[0], Mapping):
        ranks = array("d", chain.from_iterable(range(1, len(docs) + 1) for docs in inner))
        return {**header, "ranks": arrays.doubles(ranks)}
    try:
        # a third of the time that an array takes to be made of an iterator
        values = b"".join([struct.pack(f"{len(docs)}d", *docs.values()) for docs in inner])
    except (TypeError, AttributeError, OverflowError, struct.error):
        raise _odd_value(value, what) from None
    return {**header, "scores" if what == "score" else "grades": arrays.add("f64", values, len(values) // 8)}


def _inner_ids(inner: list[Any], arrays: Arrays) -> Header:
    """The documents of all topics, one after another; joined topic by topic, which stays in the cache."""
    try:
        joined = "\0".join(map("\0".join, filter(None, inner)))
    except TypeError:
        return text_ids(list(chain.from_iterable(inner)), arrays)
    count = sum(map(len, inner))
    if count and joined.count("\0") == count - 1:
        return {"bytes": arrays.bytes(_encoded(joined)), "separator": 0, "count": count}
    return text_ids(list(chain.from_iterable(inner)), arrays)


def _odd_value(value: Mapping[Any, Any], what: str) -> InputError:
    for topic, docs in value.items():
        if not isinstance(docs, Mapping):
            return NotANumber(f"topic {topic}: expected {{document: {what}}}, found {docs!r}")
        for doc, number in docs.items():
            try:
                struct.pack("d", number)
            except (TypeError, OverflowError, struct.error):
                way_out = "leave the document out or give it a score" if what == "score" else "leave the document out if it was not judged"
                return NotANumber(f"topic {topic}, document {doc}: expected a number as {what}, found {number!r}; {way_out}")
    return InputError(f"expected {{topic: {{document: {what}}}}}")


def _pick(names: Sequence[Any], known: Sequence[str], what: str) -> Any:
    for name in known:
        if name in names:
            return name
    listed = ", ".join(map(str, names)) or "none"
    raise InputError(f"no column holds the {what}, found {listed}; call it {known[0]}")


def _columns(value: Any, names: Sequence[Any], arrays: Arrays, what: str) -> Header:
    topics, docs = _pick(names, TOPIC_NAMES, "topic"), _pick(names, DOC_NAMES, "document")
    header: Header = {"topics": ids(value[topics], arrays), "docs": ids(value[docs], arrays)}
    if what == "grade":
        header["grades"] = numbers(value[_pick(names, GRADE_NAMES, "grade")], arrays, "grades")
        groups = next((name for name in GROUP_NAMES if name in names), None)
        return header if groups is None else {**header, "groups": ids(value[groups], arrays)}
    if not any(name in names for name in SCORE_NAMES) and any(name in names for name in RANK_NAMES):
        return {**header, "ranks": numbers(value[_pick(names, RANK_NAMES, "rank")], arrays, "ranks")}
    return {**header, "scores": numbers(value[_pick(names, SCORE_NAMES, "score")], arrays, "scores")}


def _records(value: Iterable[Any], arrays: Arrays, what: str) -> Header:
    """Named tuples as ir_measures has them, mappings, or tuples of topic, document and value."""
    rows = list(value)
    if not rows:
        return _nested({}, arrays, what)
    first = rows[0]
    if isinstance(first, Mapping):
        names = list(first.keys())
        return _columns({name: [row[name] for row in rows] for name in names}, names, arrays, what)
    fields = getattr(first, "_fields", None)
    if fields is None and isinstance(first, tuple) and len(first) == 3:
        fields = ("query_id", "doc_id", "score" if what == "score" else "relevance")
    if fields is None:
        raise InputError(f"expected records of topic, document and {what}, found {type(first).__name__}")
    return _columns(dict(zip(fields, map(list, zip(*rows)))), list(fields), arrays, what)


# ---------------------------------------------------------------- several runs


def named_runs(value: Any) -> list[tuple[str | None, Any]]:
    """Runs with their names, where several are given: a list of them, or a mapping from names to them."""
    if isinstance(value, Mapping):
        first = next(iter(value.values()), None)
        inner = next(iter(first.values()), None) if isinstance(first, Mapping) else None
        is_run = isinstance(first, Mapping) and not isinstance(inner, (Mapping, list))
        if value and not is_run and not _is_ranked_list(first) and not _is_column(value):
            return [(str(name), one) for name, one in value.items()]
        return [(None, value)]
    if isinstance(value, list) and value and not _is_record(value[0]):
        return [(None, one) for one in value]
    return [(None, value)]


def _is_column(value: Mapping[Any, Any]) -> bool:
    return any(name in value for name in TOPIC_NAMES) and any(name in value for name in DOC_NAMES)


def _is_record(value: Any) -> bool:
    if isinstance(value, tuple):
        return hasattr(value, "_fields") or (len(value) == 3 and isinstance(value[0], str))
    return isinstance(value, Mapping) and _is_column(value)


# ---------------------------------------------------------------- features


def features(x: Any, arrays: Arrays, y: Any = None, group: Any = None, qid: Any = None, name: str = "the documents") -> Header:
    """Documents with features as an input of a call: a table of n rows, labels, and the sizes of groups or the query of each row."""
    names: list[str] | None = None
    module = _module(x)
    if module in ("pandas", "polars"):
        names = [str(column) for column in x.columns]
        x = x.to_numpy()
    elif module == "pyarrow":
        names = list(x.column_names)
        x = _stack([column.to_numpy() for column in x.columns])
    if _module(x) == "scipy":
        x = x.toarray()
    header: Header = {"kind": "features", "name": name}
    if hasattr(x, "dtype"):
        if x.ndim != 2:
            raise InputError(f"expected a table with a row for each document, found {x.ndim} dimensions")
        kind = "float32" if x.dtype == "float32" else "float64"
        try:
            cells = x.astype(kind, copy=False)
        except (TypeError, ValueError) as error:
            raise InputError(f"expected numbers as features: {error}") from error
        header["numFeatures"] = int(x.shape[1])
        header["values"] = arrays.add("f32" if kind == "float32" else "f64", _memory(cells), cells.size)
    else:
        rows = [list(row) for row in x]
        width = len(rows[0]) if rows else 0
        if any(len(row) != width for row in rows):
            raise InputError("expected as many features in every row")
        header["numFeatures"] = width
        header["values"] = numbers(list(chain.from_iterable(rows)), arrays, "features")
    if names is not None:
        header["names"] = names
    if y is not None:
        header["labels"] = numbers(y, arrays, "labels")
    if group is not None and qid is not None:
        raise InputError("group and qid both say which documents belong together; give one of them")
    if group is not None:
        sizes = [int(size) for size in group]
        header["groupSizes"] = arrays.counts(array("I", sizes))
    if qid is not None:
        header["queries"] = ids(qid, arrays)
    return header


def _stack(columns: list[Any]) -> Any:
    import numpy

    return numpy.column_stack(columns)
