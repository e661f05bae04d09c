"""Validates every shipped scene against the JSON Schema, and bad ones to see that it can refuse.

usage: validate_scenes.py SCHEMA SCENES_FOLDER TEST_DATA_FOLDER
"""

import json
import pathlib
import sys

import jsonschema
import yaml

REFUSED = [
    "bodys: {}",
    "bodies: {a: {mas: 1}}",
    "bodies: {a: {mass: -1}}",
    "bodies: {a: {type: rigd}}",
    "bodies: {a: {mass: 1, shapes: [{box: [1, 1]}]}}",
    "bodies: {a: {mass: 1, shapes: [{box: [1, 1, 1], sphere: 1}]}}",
    "bodies: [{mass: 1}]",
    "gravity: 9.81",
    "joints: {j: {between: [a, b]}}",
    "joints: {j: {type: hnge, between: [a, b]}}",
    "joints: {j: {type: screw, between: [a, b]}}",
    "step: {dt: 0}",
    "expect: [{reading: a}]",
    "expect: [{reading: a, near: 1}]",
    "generate: [{rope: {}}]",
    "generate: [{chain: {links: 0, link_length: 1, radius: 0.1, link_mass: 1}}]",
]


def main():
    schema_file, *folders = sys.argv[1:]
    schema = json.loads(pathlib.Path(schema_file).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    scenes = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*.yaml"))
    scenes = [file for file in scenes if file.name != "broken.yaml"]
    failed = 0
    for file in scenes:
        for error in validator.iter_errors(yaml.safe_load(file.read_text(encoding="utf-8"))):
            print(f"{file}: {'.'.join(map(str, error.path))}: {error.message[:300]}")
            failed += 1
    for text in REFUSED:
        if validator.is_valid(yaml.safe_load(text)):
            print(f"accepted, but should not be: {text}")
            failed += 1
    print(f"{len(scenes)} scenes, {len(REFUSED)} refusals, {failed} failures")
    sys.exit(1 if failed or len(scenes) < 5 else 0)


main()
