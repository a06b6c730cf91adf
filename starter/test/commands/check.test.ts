import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CommandEnd } from 'sallyport-app/commands'
import { ofParts } from '../facts-of-parts.ts'
import { Identity } from '../identity.ts'
import { desk, KEY, REASON } from './desk.ts'

describe('npm start -- check', () => {
  it('shows the address at which the start says that it can be opened [RA-3201]', async (test) => {
    for (const [more, origin] of [
      [{ HOST: '127.0.0.1', PORT: '3000' }, 'http://localhost:3000'],
      [{ HOST: '0.0.0.0', PORT: '3000' }, 'http://localhost:3000'],
      [{ HOST: '192.0.2.7', PORT: '3000' }, 'http://192.0.2.7:3000'],
      [{ ORIGIN: 'https://app.example' }, 'https://app.example'],
    ] as const) {
      const { text } = await desk(test, { NODE_ENV: 'development', ...more }).run('check')
      assert.equal(/^Origin: (.*)$/m.exec(text)?.[1], origin)
    }
  })

  it('lists what is switched on, and what has no effect; it ends as a start would [RA-3201 RA-3203]', async (test) => {
    const plain = (await desk(test).run('check')).text
    const switches = ofParts('switches')
    const on = Object.fromEntries(Object.keys(switches).map((name) => [name, '1']))
    const switched = (await desk(test, on).run('check')).text
    const refused = await desk(test, { TRUSTED_PROXIES: '10.0.0.5/8' }).run('check')

    assert.match(plain, /^Switched on: nothing$/m)
    for (const name of Object.keys(switches)) assert.equal(plain.includes(name), false)
    assert.equal(plain.includes(KEY), false)
    const expected = Object.entries(switches).map(([name, what]) => `${what} (${name})`)
    const list = /^Switched on: (.*)$/m.exec(switched)?.[1]?.split(', ')
    assert.deepEqual(list?.toSorted(), expected.length === 0 ? ['nothing'] : expected.toSorted())
    assert.equal(refused.exitCode, 1)
    assert.match(refused.text, /^Cannot start: TRUSTED_PROXIES must be [^\n]+ not "10\.0\.0\.5\/8"\.\n$/)
  })

  it('tells which secrets need an earlier key, and which none opens [RA-3201]', async (test) => {
    const { open, runWith, clock } = desk(test)
    const opened = await open()
    const { users, factors } = opened.app.get(Identity)
    const id = await users.add({ email: 'bob@example.test', name: 'Bob', passwordHash: null }, clock)
    await factors.add(id, 'App', clock)
    const other = `${'cd'.repeat(31)}01`
    const check = (keys: string): Promise<CommandEnd> => runWith({ FACTOR_KEY: keys }, 'check')
    const rotate = (keys: string): Promise<CommandEnd> =>
      runWith({ FACTOR_KEY: keys }, 'rotate-key', ...REASON)

    assert.match((await check(`${other},${KEY}`)).text, /1 secrets are sealed with an earlier key/)
    const [unreadable, failed] = [await check(other), await rotate(other)]
    assert.match(unreadable.text, /no key opens the secrets of some factors \(1\)/)
    assert.match(failed.text, /^0 secrets sealed anew[\s\S]*1 cannot be opened/)
    assert.deepEqual([unreadable.exitCode, failed.exitCode], [1, 1], 'a script must notice')
    const [readable, unchanged] = [await check(KEY), await rotate(KEY)]
    assert.doesNotMatch(readable.text, /secrets/)
    assert.deepEqual([readable.exitCode, unchanged.exitCode], [0, 0])
    assert.match(
      (await rotate(`${other},${KEY}`)).text,
      /^1 secrets sealed anew[\s\S]*Take them out of FACTOR_KEY/,
    )
    assert.doesNotMatch((await check(other)).text, /secrets/)
  })
})
