"""Exports scenes and holds the files to the glTF 2.0 specification by Khronos' validator.

    validate_gltf.py TAUT WORK_FOLDER

The validator comes from npm, into WORK_FOLDER; without Node or npm the test is skipped (exit code 77).
"""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77

# file or name, options: every kind of shape, joints without contacts, a run that breaks off, a body without shapes that rests
RUNS = [
    (HERE / "data" / "all_shapes.yaml", []),
    ("crane", ["--time", "0.5"]),
    ("pile", ["--time", "0.2"]),
    ("net", ["--time", "0.2", "--fps", "10"]),
    ("heavy_chain", ["--set", "ratio=1e6", "--scheme", "backward_euler", "--stabilisation", "none"]),
]


def install(work):
    """Puts the validator into the work folder; returns which program is missing, or None."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            return f"'{program}' is not installed (tools/install_dependencies node)"
    work.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / "node" / name, work / name)
    if (work / "node_modules" / "gltf-validator").is_dir():
        return None
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"npm ci failed:\n{done.stderr}")
    return None


def main():
    program, work = sys.argv[1], pathlib.Path(sys.argv[2])
    if reason := install(work):
        print(f"skipped: {reason}")
        return SKIPPED
    files = []
    rest = work / "rest.yaml"
    rest.write_text("name: rest\nbodies: {wall: {type: fixed}}\nduration: 0.1\n")
    for number, (scene, options) in enumerate([*RUNS, (rest, [])]):
        file = work / f"{number}_{pathlib.Path(scene).stem}.glb"
        file.unlink(missing_ok=True)
        # a run that diverges is exported as well: whether the file is there counts, not the exit code
        subprocess.run([program, "run", scene, *options, "--gltf", file], capture_output=True, check=False)
        if not file.exists():
            print(f"{scene}: no file was written")
            return 1
        files.append(file)
    return subprocess.run(["node", HERE / "validate_gltf.mjs", *files], cwd=work, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
