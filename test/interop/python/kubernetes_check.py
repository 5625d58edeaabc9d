"""Validates resources, a line of JSON each on standard input, against the schemas of a version of Kubernetes, and prints what is wrong."""

import json
import sys

import kubernetes_validate

version = sys.argv[1]
for line in sys.stdin:
    resource = json.loads(line)
    name = f"{resource['kind']} {resource['metadata']['name']}"
    try:
        kubernetes_validate.validate(resource, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        print(f"{name}: {error.message} at {'/'.join(map(str, error.path))}")
