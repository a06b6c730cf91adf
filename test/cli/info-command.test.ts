import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FOLDER, sallyport } from './fixture/run.ts'

function project(t: TestContext, parts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-info-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'sallyport.lock.json'), JSON.stringify({ version: '0.1.0', parts }))
  return folder
}

describe('sallyport info', () => {
  it('describes what an application runs on, for a bug report', async (t) => {
    const cwd = project(t, ['passkeys'])
    const asked = ['info', '--json', '--app', join(FOLDER, 'application.ts')]

    const { code, out } = await sallyport(asked, { cwd, env: { SMTP_URL: 'smtp://a:secret@b' } })

    assert.equal(code, 0)
    const { node, boots, routes, passwordHash, kit } = JSON.parse(out) as Record<string, unknown>
    assert.equal(node, process.versions.node)
    assert.equal(boots, true)
    assert.ok(Number(routes) > 1)
    assert.match(String(passwordHash), /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+$/)
    assert.deepEqual(kit, { version: '0.1.0', parts: ['passkeys'] })
    assert.doesNotMatch(out, /secret|\/tmp|\/home/)
  })

  it('names the session store that the starter serves with, and the installed packages', async () => {
    const cwd = fileURLToPath(new URL('../../starter/', import.meta.url))
    // Nobody listens there: nothing connects.
    const [DATABASE_URL, REDIS_URL] = ['postgres://a:secret@127.0.0.1:9/a', 'redis://127.0.0.1:9']
    for (const [env, store] of [
      [{}, 'SqliteSessionStore'],
      [{ DATABASE_URL }, 'PostgresSessionStore'],
      [{ DATABASE_URL, REDIS_URL }, 'RedisSessionStore'],
    ] as const) {
      const { code, out } = await sallyport(['info'], { cwd, env })

      assert.equal(code, 0)
      assert.match(out, new RegExp(`^sessionStore +${store}$`, 'm'))
      assert.match(out, /^packages +.*edge\.js \d+\.\d+\.\d+/m)
      assert.match(out, /^kit +–$/m)
    }
  })

  it('describes an application that does not boot, too, and says why it does not', async () => {
    const { code, out, error } = await sallyport(['info', '--json', '--app', 'throwing.ts'])

    assert.equal(code, 1)
    assert.match(error, /^sallyport: /)
    const { boots, sallyport: version } = JSON.parse(out) as Record<string, unknown>
    assert.equal(boots, false)
    assert.match(String(version), /^\d+\.\d+\.\d+/)
  })
})
