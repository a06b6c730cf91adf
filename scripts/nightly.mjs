/**
 * `npm run test:nightly`: the tests in their large sizes, as the reliability goals require. Some hours on two cores.
 * A size that is already set is kept: `FUZZ_RUNS=5000000 npm run test:nightly -- routing`.
 *
 * @module
 */
const sizes = { NIGHTLY: '1', FUZZ_RUNS: '1000000', FLOW_RUNS: '2000', CRASH_ROUNDS: '100' }

for (const [name, value] of Object.entries(sizes)) process.env[name] ??= value
await import('./test.mjs')
