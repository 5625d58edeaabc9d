"""What the generators of documents share: stores by URL, the service's refusals and warnings, comparing values, counting elements."""

import base64
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import numpy as np


class Refused(Exception):
    """The service answered with a typed refusal: `reason` is its text without the names of this document."""

    def __init__(self, status, detail):
        super().__init__(f"{status} {detail}")
        self.status = status
        self.reason = f"{status} {without_names(detail)}"


def without_names(text):
    text = re.sub(r"(?:file|http)://\S+", "<url>", text)
    text = re.sub(r"\S+\.(?:nc|tif|zarr|json|yaml)\b\S*", "<file>", text)
    return re.sub(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", "<n>", text)[:160]


def store(service, url, options=""):
    return f"{service}zarr/~{base64.urlsafe_b64encode(url.encode()).decode().rstrip('=')}{options}/"


def fetched(url):
    """The JSON at an address; a refusal is raised as such, a fault of the server as an error."""
    try:
        with urllib.request.urlopen(url, timeout=120) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        body = error.read().decode(errors="replace")
        try:
            detail = json.loads(body)["detail"]
        except (ValueError, KeyError):
            detail = body
        if error.code >= 500 and error.code != 501:
            raise RuntimeError(f"{error.code} {detail}") from error
        raise Refused(error.code, detail) from error


def warnings_of(service, url, options=None):
    """What the service tells of a source, by the path of the array it is about; an empty one is the whole."""
    query = urllib.parse.urlencode({"url": url, **(options or {})})
    told = {}
    for warning in fetched(f"{service}inspect?{query}").get("warnings", []):
        told.setdefault(warning.get("path", ""), []).append(f"{warning['code']}: {without_names(warning['message'])}")
    return told


def refusal_in(error):
    """The refusal of a chunk, which clients wrap in errors of their own."""
    match = re.search(r"\b(4\d\d|501), message='(.*?)', url=", str(error), re.DOTALL) or re.search(r"\b(4\d\d|501)\b(.{0,300})", str(error), re.DOTALL)
    return match and f"{match[1]} chunk: {without_names(match[2])}"


def first_difference(reference, ours, rtol=0.0, atol=0.0):
    """None where both are equal, NaN and NaN too; else where they differ first, and both values."""
    one, other = np.asarray(reference), np.asarray(ours)
    if one.shape != other.shape:
        return "shape", str(one.shape), str(other.shape)
    if one.dtype.kind in "OSUT" or other.dtype.kind in "OSUT":
        unlike = np.array([str(a) != str(b) for a, b in zip(one.ravel().tolist(), other.ravel().tolist())], bool).reshape(one.shape)
    elif one.dtype.kind in "mM":
        unlike = (one != other) & ~(np.isnat(one) & np.isnat(other))
    else:
        with np.errstate(all="ignore"):
            left, right = (values.astype("f8") if values.dtype.kind == "f" else values for values in (one, other))
            near = np.abs(left - right) <= atol + rtol * np.abs(left) if (rtol or atol) and left.dtype.kind == "f" else left == right
            both = np.isnan(left) & np.isnan(right) if left.dtype.kind == right.dtype.kind == "f" else False
            unlike = ~(near | (left == right) | both)
    if not unlike.any():
        return None
    at = tuple(int(index[0]) for index in np.nonzero(np.atleast_1d(unlike)))
    return ",".join(map(str, at)), str(np.atleast_1d(one)[at]), str(np.atleast_1d(other)[at])


class Report:
    def __init__(self, elements):
        self.documents = 0
        self.counts = {element: 0 for element in elements}
        self.differences = []
        self.announced = []

    def count(self, elements):
        for element in elements:
            if element not in self.counts:
                raise KeyError(f"{element} is not an element of the grammar")
            self.counts[element] += 1

    def differ(self, index, what, document, reference, ours, reason=None):
        entry = {"index": index, "what": what, "document": document, "reference": str(reference)[:300], "ours": str(ours)[:400]}
        if reason is None:
            self.differences.append(entry)
        else:
            self.announced.append({**entry, "reason": reason})

    def write(self):
        print(json.dumps({"documents": self.documents, "counts": self.counts, "differences": self.differences, "announced": self.announced}))


class RandomDocument:
    """A document of a grammar in a folder of its own, and the elements of the grammar that it has."""

    def __init__(self, random, folder, index):
        self.random = random
        self.folder = folder
        self.index = index
        self.elements = []

    def has(self, *elements):
        self.elements += elements

    def maybe(self, chance, element=None):
        is_so = self.random.random() < chance
        if is_so and element is not None:
            self.has(element)
        return is_so

    def one(self, choices):
        choices = list(choices)
        return choices[int(self.random.integers(len(choices)))]

    def url(self, name=""):
        return f"file://{self.folder}/{name}"
