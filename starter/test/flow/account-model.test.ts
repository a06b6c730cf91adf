import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CONDITIONS } from '../conditions.ts'

// More: ACCOUNT_RUNS=50000.
const RUNS = process.env['ACCOUNT_RUNS'] ?? (process.env['NIGHTLY'] === '1' ? '10000' : '100')
const SEED = process.env['FLOW_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))
const WALK = fileURLToPath(new URL('account-walk.ts', import.meta.url))

describe('the rules of an account', () => {
  it(`hold after every step of ${RUNS} sequences, in every browser [R-60 RA-1401 RA-1601 RA-1801 RA-1802 RA-1901 RA-2101 RA-3001 RA-3002]`, async (test) => {
    test.diagnostic(`play it again with FLOW_SEED=${SEED}`)
    const args = [...CONDITIONS, '--disable-warning=ExperimentalWarning', WALK, RUNS, SEED]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    test.after(() => child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
    const [code] = (await once(child, 'close')) as [unknown]

    assert.equal(code, 0, output)
    test.diagnostic(output.trim())
  })
})
