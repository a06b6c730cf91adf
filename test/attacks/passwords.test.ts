import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD_ARGON2ID, PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { CHEAP } from './fixture/application.ts'
import { CountingHasher, PATIENT } from './fixture/hashers.ts'
import { passwordOf, World } from './fixture/world.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

describe('abuse of passwords', () => {
  it('a long password is refused before it is hashed [A-105]', async (test) => {
    const world = await World.create(test, { hasher: new CountingHasher(PASSWORD_ARGON2ID, CHEAP, PATIENT) })
    const hasher = world.fixture.hasher as CountingHasher
    const bob = world.browser()
    await bob.get('/login')
    const before = hasher.computed
    assert.equal((await bob.post('/login', { email: 'bob', password: 'x'.repeat(5000) })).status, 422)
    assert.equal((await bob.post('/login', { email: 'bob', password: `${passwordOf('bob')}\0` })).status, 422)
    assert.equal((await bob.post('/login', { email: 'bob', password: 'x'.repeat(10_000_000) })).status, 413)
    assert.equal(hasher.computed, before + 1, 'only the one with a NUL was hashed')
    for (const algorithm of [PASSWORD_ARGON2ID, PASSWORD_BCRYPT] as const) {
      const direct = new PasswordHasher(algorithm, algorithm === PASSWORD_BCRYPT ? { cost: 4 } : CHEAP)
      const hash = await direct.hash('right')
      for (const length of [5000, 10_000_000]) {
        const long = 'x'.repeat(length)
        const cpu = process.cpuUsage()
        await assert.rejects(direct.hash(long), RangeError)
        assert.equal(await direct.verify(long, hash), false)
        const { user, system } = process.cpuUsage(cpu)
        test.diagnostic(`${algorithm} ${length} bytes: ${((user + system) / 1000).toFixed(2)} ms of CPU`)
        assert.ok(user + system < onThisMachine(5000), `${algorithm} ${length}: ${user + system} us`)
      }
    }
  })

  it('bcrypt never cuts a password [A-105]', async () => {
    const bcrypt = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 })
    const full = 'x'.repeat(72)
    await assert.rejects(bcrypt.hash(`${full}a`), RangeError)
    await assert.rejects(bcrypt.hash('a\0b'), RangeError)
    const [long, short] = [await bcrypt.hash(full), await bcrypt.hash('a')]
    assert.equal(await bcrypt.verify(full, long), true)
    assert.equal(await bcrypt.verify(`${full}a`, long), false)
    assert.equal(await bcrypt.verify(`${full}b`, long), false)
    assert.equal(await bcrypt.verify('a\0b', short), false)
    assert.equal(await bcrypt.verify('é'.repeat(37), long), false)
    const argon = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP)
    const hash = await argon.hash('a\0b')
    assert.deepEqual(
      [await argon.verify('a\0b', hash), await argon.verify('a', hash), await argon.verify('a\0c', hash)],
      [true, false, false],
    )
  })

  it('a malformed hash verifies for nobody [A-106]', async (test) => {
    const world = await World.create(test)
    const good = String(world.accounts.rows("SELECT hash FROM account WHERE id = 'u2'")[0]?.['hash'])
    const stored = [
      '',
      '*',
      '!',
      good.slice(0, -1),
      good.slice(0, 20),
      good.replace('argon2id', 'argon9'),
      '$2b$04$',
      '$1$x$y',
      'plain',
      '$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
    ]
    for (const hash of stored) {
      for (const password of ['', '0', 'null', hash, good, passwordOf('bob')]) {
        assert.equal(await world.fixture.hasher.verify(password, hash), false, `${password} ${hash}`)
      }
    }
    for (const hash of [...stored, null]) {
      world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", hash)
      for (const password of ['', '0', 'null', String(hash)]) {
        const browser = world.browser()
        assert.equal((await browser.password('bob', password)).status, 422, String(hash))
      }
    }
    const state = world.accounts.rows("SELECT hash FROM account WHERE id = 'u2'")[0]?.['hash']
    assert.equal(state, null)
  })

  it('an outdated hash is replaced once, and never after a change [A-107]', async (test) => {
    const world = await World.create(test)
    const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(passwordOf('bob'))
    world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", old)
    const browsers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const browser = world.browser()
        await browser.get('/login')
        return browser
      }),
    )
    const statuses = await Promise.all(
      browsers.map(
        async ({ client, token }) =>
          (await client.post('/login', { form: { _csrf: token, email: 'bob', password: passwordOf('bob') } }))
            .status,
      ),
    )
    const replaced = String(world.accounts.rows("SELECT hash FROM account WHERE id = 'u2'")[0]?.['hash'])
    assert.match(replaced, /^\$argon2id\$/)
    assert.ok(statuses.includes(303))
    assert.deepEqual(
      statuses.filter((status) => status !== 303 && status !== 422),
      [],
    )

    world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", old)
    const changed = await world.fixture.hasher.hash('another one')
    const { arrived, open } = world.fixture.gates.hold('accounts.replaceHash')
    const racing = world.browser()
    await racing.get('/login')
    const form = { _csrf: racing.token, email: 'bob', password: passwordOf('bob') }
    const login = racing.client.post('/login', { form })
    await arrived
    world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", changed)
    open()
    assert.equal((await login).status, 422)
    assert.equal(world.accounts.rows("SELECT hash FROM account WHERE id = 'u2'")[0]?.['hash'], changed)
    assert.equal(await racing.who(), null)
  })

  it('a wrong password changes nothing about the hash [A-108]', async (test) => {
    const hasher = new CountingHasher(PASSWORD_ARGON2ID, CHEAP, PATIENT)
    const world = await World.create(test, { hasher })
    const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(passwordOf('bob'))
    world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", old)
    const before = { hashes: hasher.hashes, decisions: hasher.decisions }
    assert.equal((await world.browser().password('bob', 'wrong')).status, 422)
    assert.deepEqual({ hashes: hasher.hashes, decisions: hasher.decisions }, before)
    assert.equal((await world.browser().password('bob')).status, 303)
    assert.deepEqual([hasher.hashes - before.hashes, hasher.decisions - before.decisions], [1, 1])
  })
})
