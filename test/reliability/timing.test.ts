import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { PASSWORD_ARGON2ID, PASSWORD_BCRYPT, PasswordHasher } from 'sallyport/auth'
import { Csrf } from 'sallyport/csrf'
import { BasicAccessMiddleware } from 'sallyport/middleware'
import { MemorySessionStore, SessionPolicy } from 'sallyport/session'

import { site } from '../app/fixture.ts'
import { CHEAP } from '../attacks/fixture/application.ts'
import { CountingHasher } from '../attacks/fixture/hashers.ts'
import { passwordOf, World } from '../attacks/fixture/world.ts'
import { isEqualConstantTime } from '../../src/core/internal.ts'
import type { RequestSource } from '../../src/http/internal.ts'
import { RequestSession } from '../../src/session/internal.ts'
import { FrozenClock } from '../../src/testing/index.ts'
import { figure, sized } from './figure.ts'
import { Dice } from './mutations.ts'
import { Samples } from './samples.ts'

describe('lengths of passwords', () => {
  it('up to 1,024 bytes every byte counts [R-32]', async (t) => {
    const hasher = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP)
    const step = sized(41, 1)
    const wrong: string[] = []
    let verified = 0
    for (let length = 1; length <= 1024; length = length === 1024 ? 1025 : Math.min(1024, length + step)) {
      const password = length % 2 === 0 ? 'é'.repeat(length / 2) : 'x'.repeat(length)
      const hash = await hasher.hash(password)
      const changed = `${password.slice(0, -1)}ä`
      if (!(await hasher.verify(password, hash))) wrong.push(`${length} is refused`)
      if (Buffer.byteLength(changed) <= 1024 && (await hasher.verify(changed, hash)))
        wrong.push(`${length} is cut`)
      if (await hasher.verify(password.slice(0, -1), hash)) wrong.push(`${length} is cut at the end`)
      verified++
    }
    figure(t, 'R-32', {
      what: `of ${verified} lengths up to 1,024 bytes not verified in full`,
      value: wrong.length,
      goal: '0',
    })
    assert.deepEqual(wrong, [])
  })

  for (const [what, hasher, passwords] of [
    ['over 1,024 bytes', new PasswordHasher(), ['x'.repeat(1025), 'é'.repeat(513), 'x'.repeat(1_000_000)]],
    ['that bcrypt would cut', new PasswordHasher(PASSWORD_BCRYPT), ['x'.repeat(73), 'é'.repeat(37), 'a\0b']],
  ] as const) {
    it(`a password ${what} gets no hash, and no long one is computed on [R-32]`, async (t) => {
      const counting = new CountingHasher(PASSWORD_ARGON2ID, CHEAP)
      const hash = await counting.hash('right')
      let slowest = 0
      for (const password of passwords) {
        let best = Number.POSITIVE_INFINITY
        for (let i = 0; i < sized(20, 1000); i++) {
          const begin = performance.now()
          await assert.rejects(hasher.hash(password), RangeError)
          if (Buffer.byteLength(password) > 1024) assert.equal(await hasher.verify(password, hash), false)
          best = Math.min(best, performance.now() - begin)
        }
        slowest = Math.max(slowest, best)
        assert.equal(await counting.verify(password, hash), false)
      }
      figure(t, 'R-32', {
        what: `a password ${what} is refused in`,
        value: `${slowest.toFixed(3)} ms`,
        goal: 'at most 5 ms',
      })
      assert.ok(slowest < 50, `${slowest} ms`)
    })
  }
})

describe('times of logins', () => {
  it('an unknown account and a wrong password cannot be distinguished [A-104 R-33]', async (t) => {
    const hasher = new CountingHasher(PASSWORD_ARGON2ID, { memoryCost: 4096, timeCost: 1, parallelism: 1 })
    const world = await World.create(t, { hasher })
    world.accounts.run("INSERT INTO account VALUES ('u7', 'nopass', NULL, 1, '')")
    const cases = { unknown: 'nobody', wrong: 'bob', disabled: 'dan', passwordless: 'nopass' }
    const browser = world.browser()
    await browser.get('/login')
    const times = {
      unknown: new Samples(),
      wrong: new Samples(),
      disabled: new Samples(),
      passwordless: new Samples(),
    }
    const answers = new Map<string, string>()
    const work = new Map(Object.keys(cases).map((name) => [name, 0]))
    const rounds = sized(50, 2000)
    for (let round = 0; round < rounds; round++) {
      for (const name of ['unknown', 'wrong', 'disabled', 'passwordless'] as const) {
        const password = name === 'disabled' && round % 2 === 0 ? passwordOf('dan') : 'wrong'
        const before = hasher.computed
        const [spent, begin] = [process.cpuUsage(), performance.now()]
        const form = { _csrf: browser.token, email: cases[name], password }
        const answer = await browser.client.post('/login', { form })
        times[name].add(performance.now() - begin)
        const { user, system } = process.cpuUsage(spent)
        // The first round also compiles.
        if (round > 0) work.set(name, (work.get(name) ?? 0) + (user + system) / 1000)
        answers.set(name, `${answer.status} ${(await answer.text()).replace(/value="[^"]+"/, '')}`)
        assert.equal(hasher.computed - before, 1, `${name}: one hash`)
      }
    }
    assert.equal(new Set(answers.values()).size, 1)
    assert.match([...answers.values()][0] ?? '', /^422 /)
    const medians = Object.values(times).map((samples) => samples.at(0.5))
    const list = medians.map((value) => value.toFixed(2)).join(', ')
    figure(t, 'R-33', {
      what: `medians of ${rounds} logins each: unknown, wrong, disabled, without a password`,
      value: `${list} ms`,
      goal: 'within 5 % or 2 ms',
    })
    // A clock shows what else the machine does; the processor's time is judged, of all threads that hash.
    const means = [...work.values()].map((sum) => sum / (rounds - 1))
    assert.ok(Math.max(...means) <= 1.5 * Math.min(...means), `${means.join(', ')} ms of the processor`)
  })
})

/** Work whose time must not tell which of two texts it was given. */
type Compare = (isFirst: boolean) => unknown

const PASSWORD = 'correct horse battery staple'

class Gate extends BasicAccessMiddleware {
  constructor() {
    super({ username: 'ops', password: PASSWORD, realm: 'ops' })
  }
}

// Nobody leaves before the answer.
const STAYING = new AbortController().signal

/** A request with credentials, as short as it can be. */
class CredentialsSource implements RequestSource {
  readonly method = 'GET'
  readonly target = '/'
  readonly origin = 'http://app.test'
  readonly secure = false
  readonly clientAddress = '127.0.0.1'
  readonly signal = STAYING
  readonly bodyLength = 0
  readonly awaitsBody = false
  readonly hasWholeBody = true
  bodyLimit: number = Infinity
  readonly #authorization: string

  constructor(credentials: string) {
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }

  header(name: string): string | null {
    return name === 'authorization' ? this.#authorization : null
  }

  bytes(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(0))
  }

  async *stream(): AsyncGenerator<Uint8Array, undefined> {
    yield await this.bytes()
  }

  finishBody(): Promise<void> {
    return Promise.resolve()
  }

  request(): Request {
    return new Request(this.origin)
  }
}

const early = `X${PASSWORD.slice(1)}`
const late = `${PASSWORD.slice(0, -1)}X`

/** The two classes are taken in a random order, so that whatever else happens, happens to both. */
async function compare(t: TestContext, what: string, work: Compare): Promise<void> {
  const count = sized(4000, 100_000)
  const times = [new Samples(), new Samples()] as const
  const dice = new Dice(73)
  for (let i = 0; i < 2 * count + 2000; i++) {
    const isFirst = dice.once(2)
    const begin = performance.now()
    const outcome = work(isFirst)
    if (outcome instanceof Promise) await outcome
    const took = (performance.now() - begin) * 1000
    // The first ones are those that the engine still compiles.
    if (i >= 2000) times[isFirst ? 0 : 1].add(took)
  }
  const difference = Math.abs(times[0].at(0.5) - times[1].at(0.5))
  const value = `${difference.toFixed(3)} us of ${times[0].at(0.5).toFixed(2)} us, p ${probability(...times).toFixed(3)}`
  figure(t, 'R-73', {
    what: `${what}: difference of medians, ${count} each`,
    value,
    goal: 'at most 0.5 us, p above 0.01',
  })
  // Twice the goal: a comparison that is left out shows, one that ends some characters earlier is in the figure only.
  assert.ok(difference < 1, `${difference} us`)
}

/** Two-sided probability of so different ranks by chance alone (Mann and Whitney, by its normal approximation). */
function probability(one: Samples, other: Samples): number {
  const marked = [
    ...one.sorted().map((value) => [value, 1] as const),
    ...other.sorted().map((value) => [value, 0] as const),
  ]
  marked.sort(([a], [b]) => a - b)
  let ranks = 0
  for (let i = 0; i < marked.length;) {
    let end = i
    let ones = 0
    while (end < marked.length && marked[end]?.[0] === marked[i]?.[0]) ones += marked[end++]?.[1] ?? 0
    ranks += ones * ((i + 1 + end) / 2)
    i = end
  }
  const [n, m] = [one.count, other.count]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(z))
}

// Abramowitz and Stegun 26.2.17.
function normal(z: number): number {
  const k = 1 / (1 + 0.231_641_9 * z)
  const series =
    k * (0.319_381_53 + k * (-0.356_563_782 + k * (1.781_477_937 + k * (-1.821_255_978 + k * 1.330_274_429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}

describe('times of comparisons', () => {
  it('HTTP Basic: where a password is wrong, or whether it is the name, cannot be measured [R-73]', async (t) => {
    const app = site({ 'GET /': () => 'in' }, { middlewares: [Gate] })
    await app.boot()
    for (const [what, one, other] of [
      ['the same twice', `ops:${early}`, `ops:${early}`],
      ['first or last character', `ops:${early}`, `ops:${late}`],
      ['name or password', `opX:${PASSWORD}`, `ops:${late}`],
    ] as const) {
      const sources = [new CredentialsSource(one), new CredentialsSource(other)] as const
      await compare(t, `Basic, ${what}`, (isFirst) => app.handle(sources[isFirst ? 0 : 1]))
    }
  })

  it('CSRF: where a token is wrong cannot be measured [R-73]', async (t) => {
    const clock = new FrozenClock()
    const session = new RequestSession(
      { store: new MemorySessionStore({ clock }), policy: new SessionPolicy(), clock },
      undefined,
    )
    const csrf = new Csrf(session)
    const token = Buffer.from(await csrf.token(), 'base64url')
    const broken = (at: number): string => {
      const copy = Buffer.from(token)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy.toString('base64url')
    }
    const [first, last] = [broken(32), broken(63)]
    assert.deepEqual([await csrf.verify(first), await csrf.verify(last)], [false, false])
    await compare(t, 'CSRF, first or last byte', (isFirst) => csrf.verify(isFirst ? first : last))
  })

  it('codes: where one is wrong cannot be measured [R-73]', async (t) => {
    const code = 'abcd-efgh-ijkl-mnop'
    for (const [what, one, other] of [
      ['the same twice', `X${code.slice(1)}`, `X${code.slice(1)}`],
      ['first or last character', `X${code.slice(1)}`, `${code.slice(0, -1)}X`],
    ] as const) {
      const sent = [flat(one), flat(other)] as const
      await compare(t, `a code, ${what}`, (isFirst) => isEqualConstantTime(sent[isFirst ? 0 : 1], code))
    }
  })
})

// Put together from parts, a text is another kind of object for the engine than one in one piece.
function flat(text: string): string {
  return Buffer.from(text).toString('latin1')
}
