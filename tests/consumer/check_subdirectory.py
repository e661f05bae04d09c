#!/usr/bin/env python3
"""Checks a configured project that has the engine as a subdirectory, without building the engine again.

    check_subdirectory.py same_commands FOLDER OUTER_FOLDER
        every source of the engine would be compiled with the flags of the outer build, so its library can stand in
    check_subdirectory.py link FOLDER LIBRARY
        links the consumer by its own command, with that library instead of the one in FOLDER
    check_subdirectory.py without_threads FOLDER
        the parent's options reached the engine: no threads, a shared library, warnings are no errors
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys


def commands(folder):
    return json.loads((pathlib.Path(folder) / "compile_commands.json").read_text())


def flags(entry):
    """Words of a compile command without paths and without the compiler's launcher."""
    words = shlex.split(entry["command"])
    kept, skip = [], 0
    for at, word in enumerate(words):
        if skip:
            skip -= 1
        elif word in ("-o", "-c", "-MF", "-MT", "-isystem"):
            skip = 1
        elif word.startswith("-") and not word.startswith("-I") and word not in ("-MD",):
            kept.append(word)
    return sorted(kept)


def engine(folder, prefix):
    """Objects of the engine's layers → flags."""
    out = {}
    for entry in commands(folder):
        found = re.search(r"-o " + re.escape(prefix) + r"CMakeFiles/(taut_(?!options)\w+)\.dir/(\S+)", entry["command"])
        if found:
            name = re.sub(r"^.*?(?=src/|Unity/)", "", found[2])
            out[found[1] + "/" + name] = flags(entry)
    return out


def same_commands(folder, outer):
    here, there = engine(folder, "taut/"), engine(outer, "")
    if len(here) < 10:
        sys.exit(f"only {len(here)} objects of the engine in {folder}")
    for name, words in sorted(here.items()):
        if name not in there:
            sys.exit(f"{name} is compiled in the subdirectory only")
        if words != there[name]:
            sys.exit(f"{name} is compiled with {words} in the subdirectory, with {there[name]} elsewhere")


def link_command(folder):
    """The command with which Ninja would link the consumer."""
    text = subprocess.run(["ninja", "-C", folder, "-t", "commands", "-s", "consumer"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return text.strip().splitlines()[-1]


def link(folder, library):
    library = pathlib.Path(library)
    command, count = re.subn(r"(?<=\s)taut/libtaut\S*", shlex.quote(str(library)), link_command(folder))
    if count != 1:
        sys.exit(f"the consumer is not linked with the engine: {command}")
    command = re.sub(r"-Wl,-rpath,[^\s:]*", f"-Wl,-rpath,{library.parent}", command)
    subprocess.run(command, check=True, shell=True, cwd=folder)


def without_threads(folder):
    here = engine(folder, "taut/")
    for name, words in here.items():
        if "-fPIC" not in words:
            sys.exit(f"{name} is no code for a shared library: {words}")
        if "-Werror" in words:
            sys.exit(f"{name}: warnings are errors in somebody else's project")
        if name.startswith("taut_core/") and "-DTAUT_NO_THREADS" not in words:
            sys.exit(f"{name} is compiled with threads")
    command = link_command(folder)
    if "taut/libtaut.so" not in command or "pthread" in command:
        sys.exit(f"the consumer of a shared library without threads is linked by {command}")


if __name__ == "__main__":
    {"same_commands": same_commands, "link": link, "without_threads": without_threads}[sys.argv[1]](*sys.argv[2:])
