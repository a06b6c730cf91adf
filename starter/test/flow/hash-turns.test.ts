import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { missing } from '../facts-of-parts.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PASSWORD_ARGON2ID, PasswordHasher } from 'sallyport/auth'
import { HASH_LIMIT } from '../../core/limits/limits.ts'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { newestLink } from './newcomer.ts'

const ATTACKER = { clientAddress: '192.0.2.1' }
const STARTER = fileURLToPath(new URL('../../', import.meta.url))

/** One hash at a time, and eight that wait. */
class NarrowHasher extends PasswordHasher {
  static readonly places = 9
  #asked = 0

  constructor() {
    const costs = { memoryCost: 32_768, timeCost: 3, parallelism: 1 }
    const limits = { inFlight: 1, waiting: NarrowHasher.places - 1, waitMilliseconds: 60_000 }
    super(PASSWORD_ARGON2ID, costs, limits)
  }

  override verify(...given: Parameters<PasswordHasher['verify']>): Promise<boolean> {
    return this.#count(super.verify(...given))
  }

  override hash(...given: Parameters<PasswordHasher['hash']>): Promise<string> {
    return this.#count(super.hash(...given))
  }

  /** Waits until every place is taken. Each hash takes longer than the requests that ask for the next ones. */
  async full(): Promise<void> {
    for (let times = 0; this.#asked < NarrowHasher.places; times += 1) {
      assert.ok(times < 2000, 'the queue never was full')
      await pause(5)
    }
  }

  async #count<T>(asked: Promise<T>): Promise<T> {
    this.#asked += 1
    return asked.finally(() => (this.#asked -= 1))
  }
}

interface Scene {
  readonly world: World
  readonly hasher: NarrowHasher
  readonly others: readonly (() => Promise<Page>)[]
}

/** A world whose queue for hashes is soon full, and five people elsewhere. */
async function narrow(test: TestContext): Promise<Scene> {
  const hasher = new NarrowHasher()
  const world = await World.create(test, { hasher })
  return { world, hasher, others: await bystanders(world) }
}

/** Five people elsewhere, whose login pages are open. */
async function bystanders(world: World): Promise<readonly (() => Promise<Page>)[]> {
  const waiting: (() => Promise<Page>)[] = []
  for (const [index, name] of ['bob', 'cat', 'dan', 'fay', 'gus'].entries()) {
    const { email } = await world.person(name)
    const browser = world.browser({ clientAddress: `198.51.100.${index}` })
    await browser.open('/login')
    waiting.push(() => browser.submit('/login', { email, password: PASSWORD }))
  }
  return waiting
}

/** Sends the form many times at once, and those of the bystanders when every place is taken. They must all be served. */
async function flood(
  { hasher, others }: Scene,
  { times, form }: { readonly times: number; readonly form: (index: number) => Promise<Page> },
): Promise<readonly number[]> {
  const sent = Array.from({ length: times }, (_, index) => form(index))
  await hasher.full()
  const served = await Promise.all(others.map((enter) => enter()))
  assert.deepEqual(
    served.map(({ status, location }) => [status, location]),
    others.map(() => [303, '/account']),
  )
  return (await Promise.all(sent)).map(({ status }) => status)
}

function numberOf(statuses: readonly number[], wanted: number): number {
  return statuses.filter((status) => status === wanted).length
}

describe('a client that makes the application hash without end', () => {
  it('with the link for a new password is stopped by the link, and nobody else waits for it [MEND-06]', async (test) => {
    const scene = await narrow(test)
    const { world } = scene
    const ada = await world.person('ada')
    const browser = world.browser(ATTACKER)
    await browser.open('/forgot')
    await browser.submit('/forgot', { email: ada.email })
    const link = newestLink(world)
    await browser.open(link)
    const twins = Array.from({ length: 40 }, () => browser.twin())
    const form = (twin: Browser): Promise<Page> => twin.submit(link, { password: PASSWORD })

    const statuses = await flood(scene, {
      times: twins.length,
      form: (index) => form(twins[index] ?? browser),
    })
    for (let times = 0; times < HASH_LIMIT.failures; times += 1) await form(browser)
    const locked = await form(browser)

    assert.ok(numberOf(statuses, 422) <= HASH_LIMIT.failures)
    assert.equal(locked.status, 429)
    assert.match(locked.html, /This link was used too often/)
    assert.notEqual(locked.headers.get('retry-after'), null)
    world.clock.advance(HASH_LIMIT.windowSeconds)
    assert.equal((await browser.submit(link, { password: `${PASSWORD}, later` })).location, '/login')
  })

  it('with the right password keeps nobody else waiting [MEND-06]', async (test) => {
    const scene = await narrow(test)
    const { world } = scene
    const eve = await world.person('eve')
    const form = { email: eve.email, password: PASSWORD }
    const attackers: Browser[] = []
    for (let times = 0; times < 40; times += 1) {
      const attacker = world.browser(ATTACKER)
      await attacker.open('/login')
      attackers.push(attacker)
    }
    const submit = (index: number): Promise<Page> =>
      (attackers[index] ?? world.browser()).submit('/login', form)

    const statuses = await flood(scene, { times: 40, form: submit })

    assert.ok(numberOf(statuses, 303) > 0)
  })

  it('is told apart from others by every call that hashes [MEND-06]', () => {
    const calls = globSync('{core,parts}/**/*.ts', { cwd: STARTER }).flatMap((path) => {
      const text = readFileSync(`${STARTER}${path}`, 'utf8')
      return [...text.matchAll(/#hasher\s*\.(?:hash|verify)\(((?:[^()]|\([^()]*\))*)\)/g)].map(
        ([, given = '']) => ({ path, given }),
      )
    })

    assert.ok(calls.length >= (missing('mail-codes') ? 7 : 8), String(calls.length))
    for (const { path, given } of calls)
      assert.match(given, /\bhashedFor\(.*\)|, (?:turn|hashed)$/, `${path}: ${given}`)
  })
})
