import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PASSWORD_ARGON2ID, PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { passwordOf, World } from '../attacks/fixture/world.ts'
import { figure, sized } from './figure.ts'

const LOGINS = 50
// The queue takes all of them, however slow the machine is.
const LIMITS = { waiting: LOGINS, waitMilliseconds: 60_000 }
const CHEAP = { memoryCost: 1024, timeCost: 1, parallelism: 1 }

/** A world in which the password of bob has an outdated hash, and every change of it is counted. */
async function outdated(test: Parameters<typeof World.create>[0]): Promise<{ world: World; reset(): void }> {
  const world = await World.create(test, { hasher: new PasswordHasher(PASSWORD_ARGON2ID, CHEAP, LIMITS) })
  const old = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }).hash(passwordOf('bob'))
  world.accounts.run('CREATE TABLE change (hash TEXT)')
  world.accounts.run(`CREATE TRIGGER counted AFTER UPDATE OF hash ON account
    BEGIN INSERT INTO change VALUES (new.hash); END`)
  const reset = (): void => {
    world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", old)
    world.accounts.run('DELETE FROM change')
  }
  return { world, reset }
}

async function loginsOf(world: World): Promise<(() => Promise<number>)[]> {
  const browsers = Array.from({ length: LOGINS }, () => world.browser())
  for (const browser of browsers) await browser.get('/login')
  return browsers.map(({ client, token }) => async () => {
    const form = { _csrf: token, email: 'bob', password: passwordOf('bob') }
    return (await client.post('/login', { form })).status
  })
}

function changesOf(world: World): string[] {
  return world.accounts.rows('SELECT hash FROM change').map(({ hash }) => String(hash))
}

describe('logins with an outdated hash', () => {
  it('replace it once, however many come at once [R-08]', async (t) => {
    const { world, reset } = await outdated(t)
    reset()

    const statuses = await Promise.all((await loginsOf(world)).map((login) => login()))

    const replaced = changesOf(world).length
    figure(t, 'R-08', { what: `replacements by ${LOGINS} parallel logins`, value: replaced, goal: '1' })
    assert.equal(replaced, 1)
    assert.deepEqual(
      statuses.filter((status) => status !== 303 && status !== 422),
      [],
    )
    assert.ok(statuses.includes(303))
  })

  it('never replace a password that is changed meanwhile [R-08]', async (t) => {
    const { world, reset } = await outdated(t)
    const changed = await world.fixture.hasher.hash('another one')
    const rounds = sized(3, 50)
    let overwritten = 0
    for (let round = 0; round < rounds; round++) {
      reset()
      const logins = await loginsOf(world)
      const change = async (): Promise<void> => {
        // At another moment of the logins in each round.
        for (let turn = 0; turn < round * 5; turn++) await nextTurn()
        world.accounts.run("UPDATE account SET hash = ? WHERE id = 'u2'", changed)
      }
      await Promise.all([change(), ...logins.map((login) => login())])
      if (changesOf(world).at(-1) !== changed) overwritten++
    }
    const what = `password changes overwritten in ${rounds} rounds of ${LOGINS} parallel logins`
    figure(t, 'R-08', { what, value: overwritten, goal: '0' })
    assert.equal(overwritten, 0)
  })
})
