import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Program } from '../../../test/start/process.ts'
import { temporary } from '../../../test/support.ts'

const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: `${'ab'.repeat(31)}01` }

describe('npm start in production', () => {
  it('says in one line how to make the first administrator, as long as nobody is one [RA-3201]', async (test) => {
    const variables = { ...PRODUCTION, DATA_DIR: join(temporary(test), 'data') }
    const program = new Program(test, variables)
    await program.banner()

    const { output, errors } = await program.ended('SIGTERM')

    const lines = (output + errors)
      .split('\n')
      .filter((line) => line.includes('there is no administrator: run'))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /npm start -- add EMAIL --name NAME --administrator --reason TEXT/)
  })
})
