// Holds glTF files to the specification: node validate_gltf.mjs FILE…; any error or warning fails.
// The validator is looked for in the folder that it was started from.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const validator = createRequire(process.cwd() + "/")("gltf-validator");
let bad = 0;
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
    const { numErrors, numWarnings, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${report.info.drawCallCount} draw calls`);
    for (const message of messages) console.log(`  ${message.code} at ${message.pointer}: ${message.message}`);
    if (numErrors + numWarnings > 0) bad += 1;
}
process.exit(bad === 0 ? 0 : 1);
