import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'

import { App, Controller, defineModule } from '../../src/index.ts'
import { Clock } from '../../src/core/index.ts'
import { SessionStore } from '../../src/session/index.ts'
import { SqliteSessionStore } from '../../src/session/sqlite.ts'
import { FrozenClock, TestClient } from '../../src/testing/index.ts'

const VISITORS = 600
// The secret is 43 characters.
const MAX_BYTES = 80

class PageController extends Controller {
  static readonly actions = { index: [], form: [] }

  index() {
    return 'A page'
  }

  async form() {
    return await this.context.csrf().token()
  }
}

function site(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-visitors-'))
  const path = join(folder, 'sessions.db')
  const clock = new FrozenClock()
  const store = new SqliteSessionStore({ path, clock, durable: false })
  const rows = new DatabaseSync(path)
  t.after(() => {
    rows.close()
    store.close()
    rmSync(folder, { recursive: true })
  })
  const app = App.default()
    .modules(defineModule('Site', (module) => module.controllers(PageController)))
    .configure((definitions) => definitions.set(Clock, clock).set(SessionStore, store))
  const sizes = () =>
    rows
      .prepare('SELECT length(data) AS size FROM sallyport_session')
      .all()
      .map(({ size }) => Number(size))
  return { app, clock, sizes }
}

describe('a visitor who never comes back', () => {
  it('costs a page without a form nothing [OPEN-26]', async (t) => {
    const { app, sizes } = site(t)

    for (let i = 0; i < 5; i++) assert.equal((await new TestClient(app).get('/site/page')).status, 200)

    assert.deepEqual(sizes(), [])
  })

  it('costs a form one record of the secret alone, which goes with the idle time [OPEN-26]', async (t) => {
    const { app, clock, sizes } = site(t)

    for (let i = 0; i < VISITORS; i++) await new TestClient(app).get('/site/page/form')
    const kept = sizes()
    clock.advance(7201)
    await new TestClient(app).get('/site/page/form')

    assert.equal(kept.length, VISITORS)
    assert.ok(Math.max(...kept) <= MAX_BYTES, `${Math.max(...kept)} bytes`)
    assert.equal(sizes().length, 1)
  })
})
