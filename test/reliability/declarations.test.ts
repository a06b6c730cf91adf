import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, Definitions } from 'sallyport'
import type { Routes } from 'sallyport/routing'
import { SessionStore } from 'sallyport/session'
import { shown } from '../../src/core/internal.ts'
import {
  DECLARATIONS,
  inTable,
  item,
  JUNK,
  type Junk,
  onApp,
  page,
  PageController,
  refusals,
  rest,
  SystemThing,
} from './declared.ts'

const BARE =
  /Cannot (read propert|destructure|convert|set propert)|is not (a function|iterable|a constructor|an object)/

// What is missing has other names in some sentences.
const IN_OTHER_WORDS = [
  'gives a promise',
  'returns a promise',
  'has no path',
  'without a method',
  'empty list of hosts',
  'handler is []',
  'claims the root',
  'PageController:: is not an action',
  'type called undefined',
  'the proxies undefined',
  'the option "strange"',
]

describe('a declaration', () => {
  for (const [what, right, declare] of DECLARATIONS) {
    it(`${what} is refused by what was given and where, for any value [HOLD-35]`, async () => {
      const isOfPromise = what.endsWith('of a promise')
      for (const name of Object.keys(JUNK) as Junk[]) {
        // Where a promise is what is wrong, everything else is right.
        if (isOfPromise ? name !== 'promise' : right.includes(name)) continue
        const value = JUNK[name]()

        const messages = await refusals(declare, value)

        const told = `${name}: ${messages.join(' | ') || 'nothing is told'}`
        assert.ok(messages.length > 0, told)
        assert.doesNotMatch(told, BARE)
        const given = [shown(value), ...(Array.isArray(value) ? value.map(shown) : []), ...IN_OTHER_WORDS]
        const place = /declared\.ts:\d+\)/
        assert.ok(
          messages.some((message) => {
            const sentence = message.replaceAll(/\(\S+:\d+\)/g, '')
            return place.test(message) && given.some((each) => sentence.includes(each))
          }),
          told,
        )
      }
    })
  }

  it('is accepted when it is valid [HOLD-35]', async () => {
    for (const [what, right, declare] of DECLARATIONS) {
      if (what.startsWith('serve(') || what.startsWith('trusted') || what.endsWith('of a promise')) continue
      for (const name of right)
        assert.deepEqual(await refusals(declare, JUNK[name]()), [], `${what}: ${name}`)
    }
  })

  it('is refused for methods that reach no application, and for none [HOLD-35]', async () => {
    const methods = [[], ['GE T'], ['CONNECT'], ['GET', 'trace'], ['TRACK'], 'GET']
    for (const each of methods) {
      const [message] = await refusals(
        inTable((routes, v) => routes.map(v, '/', [PageController, 'index'])),
        each,
      )

      assert.match(
        message ?? '',
        /module "Shop" .*Cannot declare a route (for|without) .*declarations\.test\.ts:\d+\)$/,
      )
    }
  })

  it('is refused for values of default() that no URL could hold [HOLD-35]', async () => {
    const declared: readonly (readonly [(routes: Routes) => ReturnType<Routes['get']>, string, unknown])[] = [
      [item, 'id', 'abc'],
      [item, 'id', 1.5],
      [page, 'slug', '..'],
      [page, 'slug', ''],
      [(routes) => page(routes).where('slug', '[a-z]+'), 'slug', 'A'],
      [rest, 'path', 'a//b'],
    ]
    for (const [route, name, value] of declared) {
      const [message] = await refusals(
        inTable((routes) => route(routes).default(name, value as never)),
        null,
      )

      assert.match(message ?? '', /declared\.ts:\d+\): default\(\) fills ".*" with .*: it /, String(value))
    }
  })

  it('names other mistakes in a list: a locale, a store that was not awaited [HOLD-35]', async () => {
    const [locale] = await refusals(() => App.create({ locales: ['fr', 5 as never] }), null)
    const [store] = await refusals(
      onApp((app) => app.configure((all) => void all.set(SessionStore, Promise.resolve() as never))),
      null,
    )

    assert.match(locale ?? '', /^Cannot declare the locales with 5: /)
    assert.match(store ?? '', /^Cannot register a promise for SessionStore: await it first \(/)
    assert.throws(() => new Definitions().set(SystemThing, 'x' as never), /pass an instance/)
  })
})
