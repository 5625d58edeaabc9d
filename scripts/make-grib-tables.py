"""Writes src/formats/grib/tables/*.ts from the definitions of ecCodes (Apache-2.0, (C) ECMWF), which lie inside the library of its wheel.

Needs: pip install eccodeslib==2.50.0.33 brotli. Usage: python scripts/make-grib-tables.py"""

import base64
import ctypes
import itertools
import re
from collections import defaultdict
from pathlib import Path

import brotli
import eccodeslib

OUT = Path(__file__).parent.parent / "src/formats/grib/tables"
LIBRARY = Path(eccodeslib.__file__).parent / "lib64/libeccodes_memfs.so"
NOTICE = """// Made by scripts/make-grib-tables.py from the definitions of ecCodes 2.50.0, (C) Copyright 2005- ECMWF, which are licensed under
// the Apache Licence Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0) and were changed in form. Don't edit.
"""
# Said to be nothing, which is not the same as not said.
EMPTY = '""'
PROPERTIES = ["paramId", "shortName", "name", "units", "cfName", "cfVarName"]


def read_definitions() -> dict[str, str]:
    """Every definition and code table, by its path."""
    library = ctypes.CDLL(str(LIBRARY))
    libc = ctypes.CDLL(None)
    library.codes_memfs_open.restype = ctypes.c_void_p
    library.codes_memfs_open.argtypes = [ctypes.c_char_p]
    libc.fread.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
    libc.fclose.argtypes = [ctypes.c_void_p]
    prefix = b"/MEMFS/definitions/"
    names = set(re.findall(prefix + rb"[\x21-\x7e]+\.(?:def|table)", LIBRARY.read_bytes()))
    files = {}
    for name in sorted(names):
        stream = library.codes_memfs_open(name)
        if not stream:
            continue
        buffer = ctypes.create_string_buffer(1 << 20)
        parts = []
        while (count := libc.fread(buffer, 1, 1 << 20, stream)) > 0:
            parts.append(buffer.raw[:count])
        libc.fclose(stream)
        files[name[len(prefix) :].decode()] = b"".join(parts).decode("utf-8")
    return files


QUOTED_OR_COMMENT = re.compile(r"""("[^"\n]*"|'[^'\n]*')|#[^\n]*""")


def uncommented(text: str) -> str:
    """Without comments; a hash within quotes is none."""
    return QUOTED_OR_COMMENT.sub(lambda match: match[1] or "", text)


CONCEPT = re.compile(r"""(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*=\s*\{([^}]*)\}""")


def concept(text: str | None) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Values with the conditions under which they hold, in order."""
    entries = []
    for single, double, body in CONCEPT.findall(uncommented(text or "")):
        conditions = []
        for condition in filter(None, (part.strip() for part in body.split(";"))):
            key, value = re.split(r"\s*(?:==|=|\bis\b)\s*", condition, maxsplit=1)
            conditions.append((key, value.strip().strip("\"'")))
        entries.append((single or double, tuple(sorted(conditions))))
    return entries


def written_value(value: str) -> str:
    return "m" if value == "missing()" else value


class Parameters:
    """Tuples of properties, and for each folder of definitions the conditions that lead to them."""

    def __init__(self, files: dict[str, str]):
        self.files = files
        self.tuples: dict[tuple[str, ...], int] = {}
        self.keys: dict[str, int] = {}
        self.folders: dict[str, list[str]] = {}

    def add(self, folder: str, edition: int) -> None:
        lines = []
        usual = self.rows(folder, "")
        legacy = self.rows(folder, ".legacy")
        before = self.rows(folder, ".lte33") if f"{folder}/paramId.lte33.def" in self.files else None
        same = set(usual) & set(before) if before is not None else set(usual)
        for mark, rows in (("", usual), ("-", before or []), ("~", legacy)):
            for row in rows:
                if mark == "-" and row in same:
                    continue
                # CF names have no variants.
                own = "+" if mark == "" and row not in same and any(row[1][: PROPERTIES.index("cfName")]) else mark
                lines.append(f"{own}{self.conditions(row[0], edition)}\t{self.number(row[1])}")
        if lines:
            self.folders[f"{edition}/{folder.split('/')[-1] if '/' in folder else ''}"] = lines

    def rows(self, folder: str, variant: str):
        merged: dict[tuple, dict[str, str]] = defaultdict(dict)
        for name in PROPERTIES:
            # CF names have no variants but the oldest one.
            suffix = variant if not name.startswith("cf") or variant == ".legacy" else ""
            for value, conditions in concept(self.files.get(f"{folder}/{name}{suffix}.def")):
                # Of two with the same conditions the last one counts.
                merged[conditions][name] = value
        if variant == ".lte33":
            merged = {c: p for c, p in merged.items() if any(not n.startswith("cf") for n in p)}
        return [(c, tuple((p[n] or EMPTY) if n in p else "" for n in PROPERTIES)) for c, p in merged.items()]

    def number(self, row: tuple[str, ...]) -> int:
        return self.tuples.setdefault(row, len(self.tuples))

    def conditions(self, conditions, edition: int) -> str:
        rest = dict(conditions)
        main = ("table2Version", "indicatorOfParameter") if edition == 1 else ("discipline", "parameterCategory", "parameterNumber")
        head = ".".join(rest.pop(key, "") for key in main)
        tail = [f"{self.keys.setdefault(key, len(self.keys))}={written_value(value)}" for key, value in rest.items()]
        return ";".join([head, *tail])

    def text(self) -> str:
        out = ["\t".join(self.keys)]
        out += ["\t".join(row) for row in self.tuples]
        for folder, lines in self.folders.items():
            out += [f"@{folder}", *lines]
        return "\n".join(out)


def write_packed(name: str, constant: str, what: str, text: str) -> None:
    packed = base64.b64encode(brotli.compress(text.encode(), quality=11, lgwin=24)).decode()
    content = f"{NOTICE}\n/** {what} Text in Brotli in base64: {len(text)} characters. */\nexport const {constant} =\n  '{packed}'\n"
    (OUT / name).write_text(content)
    print(name, len(text), "characters,", len(content), "packed")


def level_lines(files: dict[str, str]) -> list[str]:
    """`edition/folder<tab>name<tab>conditions`"""
    lines = []
    for edition, name in ((1, "typeOfLevel.def"), (2, "typeOfLevelConcept.def"), (1, "stepType.def")):
        for path in sorted(path for path in files if path.startswith(f"grib{edition}/") and path.endswith(f"/{name}")):
            folder = path.split("/")[-2] if "/localConcepts/" in path else ""
            kind = "step" if name.startswith("step") else "level"
            for value, conditions in concept(files[path]):
                lines.append(f"{kind} {edition}/{folder} {value} " + " ".join(f"{k}={written_value(v)}" for k, v in conditions))
    return lines


NAMED = re.compile(r"""["']?(-?\w+)["']?\s*=\s*\{([^}]*)\}""")
ONE_OF = re.compile(r"true\s*=\s*is_one_of\((\w+),([^)]*)\)")
# The data set that a message belongs to, and which edition of the names holds for it: 0 up to tables version 33.
CHOICES = {"dataset": "section.4.def", "names": "MTG2SwitchConcept.def", "byTables": "MTG2SwitchViaTablesVersionConcept.def"}


def choice_lines(files: dict[str, str]) -> list[str]:
    """`kind edition/folder<tab>value<tab>conditions`, as those of levels."""
    lines = []
    for kind, name in CHOICES.items():
        for path in sorted(path for path in files if re.fullmatch(rf"grib2/(?:localConcepts/\w+/)?{re.escape(name)}", path)):
            text = uncommented(files[path])
            if kind == "dataset":
                text = re.search(r"concept datasetForLocal\(unknown\)\s*\{((?:[^{}]|\{[^}]*\})*)\}", text)[1]
            folder = path.split("/")[-2] if "/localConcepts/" in path else ""
            for value, body in NAMED.findall(text):
                lines += [f"{kind} 2/{folder} {value} {conditions}".rstrip() for conditions in alternatives(body)]
    return [line for line in lines if not line.endswith(("dummy=0", "dummy=1"))]


def alternatives(body: str) -> list[str]:
    """Conditions as they are written, once for each of the values that one of them may have."""
    plain = ONE_OF.sub("", body)
    fixed = [re.sub(r"\s*=+\s*", "=", part.strip()) for part in plain.split(";") if part.strip()]
    fixed = [part for part in fixed if part != "true=1"]
    choices = [[f"{key}={value.strip()}" for value in values.split(",")] for key, values in ONE_OF.findall(body)]
    return [" ".join([*fixed, *chosen]) for chosen in itertools.product(*choices)]


def code_lines(text: str) -> list[str]:
    """`code abbreviation title`"""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


FIELD = re.compile(r"^(unsigned|signed|codetable|flags|ieeefloat|byte|length|ksec1expver)\s*\[(\d+)\]\s*(\w+)|^(ieeefloat)\s+(\w+)")
REPEATED = re.compile(r"\w+\s*\[\d+\]\s*\w+\s*\[(\w+)\]")
INCLUDE = re.compile(r"""(?:include|template(?:_nofail)?\s+\w+)\s+"(grib\d/[\w./]+)\"""")
FORECAST_TIME_OF_TWO_SIZES = "4.44"
PADDING = re.compile(r"pad\s+\w+\s*\((\d+)\)")


def template_tokens(files: dict[str, str], path: str) -> list[str]:
    """Names of fields with their sizes; `{count` and `}` around what is repeated."""
    tokens: list[str] = []
    skipped = 0
    text = uncommented(files[path])
    text = re.sub(r"\b(?:meta|alias|transient|constant|concept|concept_nofail|remove)\b[^;{]*(?:;|\{(?:[^{}]|\{[^}]*\})*\}[^;\n]*;?)", "\n", text)
    for line in (part.strip() for part in re.split(r"[;\n]", text)):
        if match := INCLUDE.match(line):
            if match[1] in files and not match[1].endswith("stepUnits.def"):
                tokens += template_tokens(files, match[1])
        elif match := PADDING.match(line):
            tokens.append(f"-:{match[1]}")
        elif match := FIELD.match(line):
            size = match[2] or "4"
            kind = match[1] or match[4]
            token = f"{match[3] or match[5]}:{'-' if kind == 'signed' else ''}{size}"
            count = REPEATED.match(line)
            tokens += [token] if count is None else ["{" + count[1], token, "}"]
        elif match := re.match(r"\w+\s+list\s*\((\w+)\)", line):
            tokens.append("{" + match[1])
        elif re.match(r"if\s*\(", line) or line.startswith("else"):
            skipped += 1
        elif line.startswith("}"):
            if skipped > 0:
                skipped -= 1
            elif any(token.startswith("{") for token in tokens) and tokens.count("}") < sum(t.startswith("{") for t in tokens):
                tokens.append("}")
    return tokens


def main() -> None:
    files = read_definitions()
    parameters = Parameters(files)
    for edition in (1, 2):
        folders = sorted({path.rsplit("/", 1)[0] for path in files if path.startswith(f"grib{edition}/localConcepts/")})
        for folder in [f"grib{edition}", *folders]:
            parameters.add(folder, edition)
    OUT.mkdir(parents=True, exist_ok=True)
    write_packed("parameters.ts", "PARAMETERS", "What parameters are called, and by which keys of a message they are found.", parameters.text())
    templates = []
    for path in sorted(files, key=lambda path: [int(n) for n in re.findall(r"\d+", path)] or [0]):
        if match := re.fullmatch(r"grib2/templates/template\.(4\.\d+)\.def|grib1/local\.(98\.\d+)\.def", path):
            name, tokens = match[1] or match[2], template_tokens(files, path)
            if name == FORECAST_TIME_OF_TWO_SIZES:
                # Two bytes by the standard; four in messages whose section is longer.
                templates.append(f"{name}-long {' '.join(token for token in tokens if token != 'forecastTime:2')}")
                tokens.remove("forecastTime:-4")
            templates.append(f"{name} {' '.join(tokens)}")
    what = "Templates of section 4 (GRIB 2) and of local parts of section 1 (GRIB 1): names of fields with their bytes, those with a sign negative."
    write_packed("templates.ts", "TEMPLATES", what, "\n".join(templates))
    tables = {
        "centres 1": code_lines(files["common/c-1.table"]),
        "centres 2": code_lines(files["common/c-11.table"]),
        "grids 1": code_lines(files["grib1/6.table"]),
        "grids 2": code_lines(files[latest(files, "3.1")]),
        "earlier grids 2": earlier_lines(files, "3.1"),
        "processed data": code_lines(files[latest(files, "1.4")]),
        "mars types": code_lines(files["mars/type.table"]),
        "levels": level_lines(files) + choice_lines(files),
    }
    text = "\n".join("\n".join([f"@{name}", *lines]) for name, lines in tables.items())
    write_packed("codes.ts", "CODES", "Code tables (centres C-1 and C-11, grids, kinds of data), types of levels and steps, data sets and editions of names by their conditions.", text)


def earlier_lines(files: dict[str, str], table: str) -> list[str]:
    """`last code title` of what a code was called up to a version of the tables, where that is not what it is called in the latest; `?` where it was nothing."""
    latest_version = int(latest(files, table).split("/")[2])
    named: dict[str, list[str]] = defaultdict(lambda: ["?"] * (latest_version + 1))
    for version in range(latest_version + 1):
        for line in code_lines(files.get(f"grib2/tables/{version}/{table}.table", "")):
            code, _, *words = line.split()
            named[code][version] = " ".join(words)
    lines = []
    for code, titles in named.items():
        # Version 0 is an experimental one, without tables.
        lines += [f"{version} {code} {titles[version]}" for version in range(1, latest_version) if titles[version] != titles[version + 1]]
    return lines


def latest(files: dict[str, str], table: str) -> str:
    versions = [int(match[1]) for path in files if (match := re.fullmatch(rf"grib2/tables/(\d+)/{re.escape(table)}\.table", path))]
    return f"grib2/tables/{max(versions)}/{table}.table"


main()
