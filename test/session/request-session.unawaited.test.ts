import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { runModule } from '../services/module-process.ts'

// Each path does something to the session and waits for nothing of it.
const PROGRAM = `
  import { App, Controller, defineModule, inject } from 'sallyport'
  import { SessionAuthentication } from 'sallyport/auth'
  import { serve } from 'sallyport/node'
  import { MemorySessionStore, SessionStore } from 'sallyport/session'

  class FailingStore extends MemorySessionStore {
    isFailing = false
    read(id) { return this.isFailing ? Promise.reject(new Error('no connection')) : super.read(id) }
    update(...a) { return this.isFailing ? Promise.reject(new Error('no connection')) : super.update(...a) }
    rotate(...a) { return this.isFailing ? Promise.reject(new Error('no connection')) : super.rotate(...a) }
    create(...a) { return this.isFailing ? Promise.reject(new Error('no connection')) : super.create(...a) }
  }
  const later = []
  const DEEDS = {
    get: (c) => c.session().get('a'),
    has: (c) => c.session().has('a'),
    set: (c) => c.session().set('a', 1),
    remove: (c) => c.session().remove('a'),
    rotate: (c) => c.session().regenerateId(),
    destroy: (c) => c.session().destroy(),
    flash: (c) => c.flash().add('notice', 'Saved'),
    login: (c) => new SessionAuthentication().login(c.session(), c.auth(), 'bob', {}),
    logout: (c) => new SessionAuthentication().logout(c.session(), c.auth()),
    'refused-value': (c) => c.session().set('a', new Date()),
    'refused-flash': (c) => c.flash().add('notice', 1),
    'late-set': (c) => { const session = c.session(); later.push(() => session.set('b', 1)) },
    'late-refused': (c) => { const session = c.session(); later.push(() => session.set('b', new Date())) },
  }
  class DeedController extends Controller {
    static actions = { begin: [], do: ['name'] }
    async begin() { await this.context.session().set('begun', 1); return 'ok' }
    do(name) { void DEEDS[name](this.context); return 'done' }
  }
  DeedController.actions = { begin: [], doPost: [(await import('sallyport/routing')).param.string('name')] }
  DeedController.prototype.doPost = DeedController.prototype.do
  const store = new FailingStore()
  const heard = []
  const app = App.create()
    .modules(defineModule('Site', (module) => module.mount('/').routes((routes) => {
      routes.get('/begin', [DeedController, 'begin'])
      routes.post('/{name}', [DeedController, 'doPost'])
    })))
    .configure((definitions) => definitions.set(SessionStore, store))
  app.onError((error) => void heard.push(error.name))
  const server = await serve(app, { port: 0, signals: [] })
  const url = 'http://127.0.0.1:' + server.port
  const cookie = (await fetch(url + '/begin')).headers.get('set-cookie').split(';')[0]
  store.isFailing = process.argv.includes('failing')
  for (const name of Object.keys(DEEDS)) {
    heard.length = 0
    const { status } = await fetch(url + '/' + name, { method: 'POST', headers: { cookie } })
    for (const work of later.splice(0)) void work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    console.log(name, status, heard.join(' '))
  }
  await server.close()
  console.log('alive')
`

/** What a process of its own answers to each deed, and what it warned of. */
async function play(...words: string[]): Promise<{ lines: string[]; warnings: string }> {
  const { stdout, stderr } = await runModule(PROGRAM, ...words)
  return { lines: stdout.trim().split('\n'), warnings: stderr }
}

describe('promises that are not awaited', () => {
  it('a store that fails is a 503 that is reported, and ends no process [HOLD-20]', async () => {
    const { lines } = await play('failing')

    assert.equal(lines.pop(), 'alive')
    for (const line of lines) {
      if (line.startsWith('late')) assert.equal(line, `${line.split(' ')[0]} 200 `)
      else if (line.startsWith('refused'))
        assert.match(line, / 50[03] (TypeError|ServiceUnavailableException)$/)
      else assert.equal(line, `${line.split(' ')[0]} 503 ServiceUnavailableException`)
    }
  })

  it('what is refused is a 500 that is reported, and a warning when it is too late [HOLD-24 HOLD-54]', async () => {
    const { lines, warnings } = await play()

    assert.equal(lines.pop(), 'alive')
    for (const line of lines) {
      const [name = ''] = line.split(' ')
      assert.equal(line, name.startsWith('refused') ? `${name} 500 TypeError` : `${name} 200 `)
    }
    assert.match(warnings, /Cannot change the session: the response has been made/)
    assert.match(warnings, /Cannot keep "b" in the session: its value is an instance of Date/)
  })
})
