// Waits for a condition; the error contains its description.
export async function until(what, check, {seconds = 15} = {}) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await new Promise(done => setTimeout(done, 50));
  }
}
