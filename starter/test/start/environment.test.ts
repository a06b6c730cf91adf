import assert from 'node:assert/strict'
import { isAbsolute } from 'node:path'
import { describe, it } from 'node:test'
import { StartupError } from 'sallyport-app/settings'
import { readEnvironment } from '../../core/boot/environment.ts'
import { PARTS } from '../../parts.ts'
import { ofParts } from '../facts-of-parts.ts'

const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: `${'ab'.repeat(31)}01` }

const MALFORMED: Readonly<Record<string, readonly string[]>> = {
  DEFAULT_LANGUAGE: ['fr'],
  DEMO: ['true', '2', ' 1'],
  ...ofParts('malformed'),
}

describe('readEnvironment()', () => {
  it('keeps its data beside the application, and has a demo account, except in production [RA-3203]', () => {
    const { dataDirectory, language, ofParts: read, hasDemoAccount } = readEnvironment({}, PARTS)

    assert.ok(isAbsolute(dataDirectory) && dataDirectory.endsWith('/.data'))
    assert.deepEqual([language, read, hasDemoAccount], ['en', [], true])
    assert.equal(readEnvironment({ DEMO: '0' }).hasDemoAccount, false)
    assert.equal(readEnvironment(PRODUCTION).hasDemoAccount, false)
    assert.throws(() => readEnvironment({ ...PRODUCTION, DEMO: '1' }), {
      name: 'StartupError',
      message: /^DEMO must not be 1 in production/,
    })
  })

  for (const [name, values] of Object.entries(MALFORMED))
    it(`refuses a malformed ${name} in one line that shows it [RA-3203 MEND-14]`, () => {
      for (const value of values)
        assert.throws(
          () => readEnvironment({ ...PRODUCTION, [name]: value }, PARTS),
          (error: unknown) => {
            assert.ok(error instanceof StartupError)
            assert.match(error.message, new RegExp(`^${name} must be [^\\n]+$`))
            assert.ok(error.message.includes(`, not ${JSON.stringify(value)}`))
            return true
          },
        )
    })
})
