/**
 * Loaded before the tests in every process of a mutation run. Without an active mutant it records which mutants the process
 * reached, and how often; with one it ends endless loops.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** State that the instrumented code reads and writes; the names are Stryker's. */
interface Shared {
  __stryker__?: {
    hitCount?: number
    hitLimit?: number
    mutantCoverage?: { static: Record<string, number> }
  }
}

// The instrumented code keeps its state in a global variable.
const shared = globalThis as Shared
const { MUTATION_COVERAGE: folder, MUTATION_HIT_LIMIT: hitLimit } = process.env

if (hitLimit !== undefined) shared.__stryker__ = { hitCount: 0, hitLimit: Number(hitLimit) }
if (folder !== undefined) {
  process.on('exit', () => {
    const reached = shared.__stryker__?.mutantCoverage?.static ?? {}
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(reached))
  })
}
