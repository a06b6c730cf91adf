import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TrailingSlash } from 'sallyport/routing'
import { serve } from 'sallyport/node'

import { type Answers, Faults, site } from '../app/fixture.ts'
import { Dice } from '../reliability/mutations.ts'
import { request, values } from './raw.ts'

const ANSWERS: Answers = {
  'GET /login': (context) => `login ${context.query()}`,
  'GET /a/b': (context) => `b ${context.query()}`,
}

// All of visible ASCII that a target may hold, escapes, and what no target may.
const PIECES = [
  ...'abz09-._~!$&\'()*+,;=:@/?%|^`{}[]"<>\\',
  '%2F',
  '%5C',
  '%00',
  '%0A',
  '%0d',
  '%7f',
  '%C3%A9',
  '%ff',
  '%',
  '%zz',
  '..',
  '.',
  '//',
  'é',
  '\u0001',
  '\t',
  ' ',
  '\u2028',
]
const HANDED_ON = [
  '/login/?a=\\',
  '/login?a=\\',
  '/login/?\\',
  '/login/?a=%00',
  '/login/?a=%0d%0ab:c',
  '/login/?a=%5c',
  '/login/?a={|}^`',
  '/nowhere/?a=\\',
  '/a//b/?x',
]

/** What `fetch()` is given of a target; null when no URL can be made of it. */
function givenOf(target: string): string | null {
  const url = URL.parse(`http://app.test${target}`)
  return url === null || url.host !== 'app.test' ? null : url.pathname + url.search
}

for (const policy of [TrailingSlash.Remove, TrailingSlash.Add, TrailingSlash.Preserve]) {
  describe(`targets, with slashes: ${policy}`, () => {
    it('serve() and fetch() answer alike what both can receive, and fetch() never with a 500 [HOLD-08]', async (t) => {
      const faults = new Faults()
      const make = (): ReturnType<typeof site> =>
        site(ANSWERS, {
          configure: (app) => {
            faults.listen(app)
            app.routing({ trailingSlash: policy })
          },
        })
      const app = make()
      const server = await serve(make(), { port: 0, signals: [] })
      t.after(() => server.close())
      const dice = new Dice(20)
      const made = Array.from({ length: 600 }, () => {
        const path = dice.pick(['/login', '/login/', '/a/b', '/a/b/', '/', '/a/', '/nowhere/'])
        return `${dice.once(3) ? `/${dice.some(4, () => dice.pick(PIECES) ?? '')}` : path}${dice.once(4) ? '' : '?'}${dice.some(5, () => dice.pick(PIECES) ?? '')}`
      })

      let compared = 0
      for (const target of [...HANDED_ON, ...made]) {
        const given = givenOf(target)
        if (given === null) continue
        const direct = await app.fetch(new Request(`http://app.test${target}`))
        assert.ok(direct.status < 500, `${JSON.stringify(target)}: ${direct.status}`)
        const wired = await request(server.port, [
          `GET ${given} HTTP/1.1`,
          'Host: app.test',
          'Connection: close',
        ])
        assert.equal(wired.status, direct.status, JSON.stringify(given))
        assert.deepEqual(values(wired, 'location'), [direct.headers.get('location') ?? []].flat(), given)
        if (wired.status === 200) assert.equal(wired.body, await direct.text(), given)
        compared++
      }

      assert.ok(compared > 400)
      assert.deepEqual(faults.seen, [])
    })
  })
}
