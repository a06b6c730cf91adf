/**
 * `npm run test:nightly`: all parts in their large sizes, as the reliability goals require. A run that was ended goes on
 * where it was: parts that have passed at the same commit are not repeated. A size that is already set is kept:
 * `FUZZ_RUNS=5000000 npm run test:nightly -- fuzz`.
 *
 * @module
 */
const sizes = { NIGHTLY: '1', FUZZ_RUNS: '1000000', FLOW_RUNS: '2000', CRASH_ROUNDS: '100' }

for (const [name, value] of Object.entries(sizes)) process.env[name] ??= value
process.argv.splice(2, 0, '--all', '--resume')
await import('./test.mjs')
