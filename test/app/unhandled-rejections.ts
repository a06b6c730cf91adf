import { after, before, beforeEach } from 'node:test'

/**
 * Collects promises that reject without a handler while the tests of a suite run.
 *
 * @returns Their reasons; empty at the start of each test.
 */
export function unhandledRejections(): unknown[] {
  const reasons: unknown[] = []
  const collect = (reason: unknown): void => void reasons.push(reason)
  before(() => process.on('unhandledRejection', collect))
  after(() => process.off('unhandledRejection', collect))
  beforeEach(() => reasons.splice(0))
  return reasons
}
