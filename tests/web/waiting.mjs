// Until something is so, or an error that says what was waited for. The time is a net against hangs, not a measure of speed.
export async function until(what, check, {seconds = 600} = {}) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await new Promise(done => setTimeout(done, 50));
  }
}
