/**
 * `npm run test:nightly`: all parts in their large sizes, as the reliability goals require. A run that was ended goes on
 * where it was: parts that have passed at the same commit are not repeated. A size that is already set is kept:
 * `SOAK_MINUTES=5 npm run test:nightly -- soak`.
 *
 * @module
 */
const sizes = {
  NIGHTLY: '1',
  FUZZ_RUNS: '1000000',
  FLOW_RUNS: '2000',
  SOAK_MINUTES: '30',
}

for (const [name, value] of Object.entries(sizes)) process.env[name] ??= value
process.argv.splice(2, 0, '--all', '--resume')
await import('./test.mjs')
