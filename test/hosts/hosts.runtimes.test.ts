import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { differences } from './differences.ts'
import { installHosts } from './installation.ts'
import { type RuntimeResult, writeRuntimeResults } from './results.ts'
import { copySources, filesOf, runOn, type TestedRuntime, testedRuntimes } from './runtimes.ts'

const isNight = process.env['NIGHTLY'] === '1'
// Per change, what has to do with signing in, on the oldest Node and on another engine.
const files = isNight ? filesOf() : filesOf(['auth', 'csrf', 'context'])
const runtimes = testedRuntimes.filter(({ runtime }) => isNight || runtime === 'node22' || runtime === 'bun')
const MIN_TESTS = isNight ? 4000 : 400
const installation = installHosts()

function reasonToSkip({ packageName }: TestedRuntime): string | false {
  if (typeof installation === 'string') return installation
  return installation.versionOf(packageName) === undefined && `${packageName} is not there for this system`
}

describe('the tests of the framework on other runtimes', () => {
  const results: RuntimeResult[] = []

  before(() => {
    copySources()
  })

  after(() => {
    if (isNight) writeRuntimeResults(results)
  })

  for (const tested of runtimes) {
    it(
      `pass on ${tested.name}, but for the differences that are known [HOST-01]`,
      { skip: reasonToSkip(tested) },
      async () => {
        assert.ok(typeof installation !== 'string')
        const known = differences.filter(({ runtimes }) => runtimes.includes(tested.runtime))
        const titles = known.flatMap(({ titles }) => titles)

        const { tests, failed } = await runOn(tested, installation, files)

        assert.deepEqual(
          failed.filter((title) => !titles.some((end) => title.endsWith(end))),
          [],
        )
        assert.ok(tests >= MIN_TESTS, `only ${tests} tests ran`)
        // Those of other files are not run per change.
        const missing = isNight ? titles.filter((end) => !failed.some((title) => title.endsWith(end))) : []
        assert.deepEqual(missing, [], 'differences that are gone')
        const version = installation.versionOf(tested.packageName) ?? ''
        results.push({ name: tested.name, version, tests, reasons: known.map(({ reason }) => reason) })
      },
    )
  }
})
