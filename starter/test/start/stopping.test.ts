import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from 'sallyport-app/testing'
import { temporary } from '../support.ts'
import { Program } from './process.ts'

const HEALTH = fileURLToPath(new URL('../../health.mjs', import.meta.url))

/** @returns The exit code of the health check of a container. */
function checked(variables: Readonly<Record<string, string>>, path?: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const child = execFile(process.execPath, path === undefined ? [HEALTH] : [HEALTH, path], {
    env: { ...variables },
  })
  child.on('exit', (code) => resolve(code ?? -1))
  return promise
}

describe('a process that is told to stop', () => {
  it('says so at /readyz while it goes on answering, and ends with 0 after its time [RA-3204]', async (test) => {
    const variables = {
      PORT: String(await freePort()),
      ORIGIN: 'https://app.example',
      BASE_PATH: '/accounts',
      DRAIN_SECONDS: '6',
      DATA_DIR: join(temporary(test), 'data'),
    }
    const program = new Program(test, variables)
    await program.banner()
    assert.deepEqual([await checked(variables), await checked(variables, '/readyz')], [0, 0])

    program.signal('SIGTERM')
    while ((await checked(variables, '/readyz')) === 0) await pause(20)

    assert.equal(await checked(variables), 0)
    assert.equal((await program.ended()).code, 0)
    assert.equal(await checked(variables), 1)
  })
})
