import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  ASKED,
  Closing,
  withoutPostgres,
  withoutRedis,
} from '../../../packages/sallyport-app/src/testing/index.ts'
import { PASSWORD_LIMIT } from '../../../starter/core/limits/limits.ts'
import { codeNow, Visitor } from '../../../starter/test/start/process.ts'
import { PASSWORD } from '../../../starter/test/support.ts'
import { Four } from './four.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const [CLICKS, KILLS] = NIGHTLY ? [100, 50] : [5, 4]
const DEMO_PASSWORD = 'two-doors-one-gate'
const EVERYWHERE = [200, 200, 200, 200]
const NOWHERE = [302, 302, 302, 302]

describe('four processes', { skip: withoutPostgres || withoutRedis }, () => {
  const closing = new Closing()
  let four: Four
  before(async () => {
    four = await Four.start(closing)
  })
  after(() => closing.close())

  /** Somebody who has passed the first door. */
  async function pending(): Promise<Visitor> {
    const visitor = new Visitor(four.url)
    assert.equal((await visitor.password(DEMO_PASSWORD)).location, '/login/2fa')
    await visitor.open('/login/2fa')
    return visitor
  }

  async function signedIn(): Promise<Visitor> {
    const visitor = await pending()
    await four.renew()
    assert.equal(
      (await visitor.submit('/login/2fa', { code: await codeNow(four.secret) })).location,
      '/account',
    )
    return visitor
  }

  it('that start at once on an empty database make one of everything [RA-3202]', async () => {
    assert.deepEqual([await four.count('account'), await four.count('factor')], [1, 1])
  })

  it('are one in the story of an account: sign-up, second factor, sign-out, sign-in [RA-3202]', async () => {
    const ada = new Visitor(four.url)
    await ada.open('/sign-up')
    await ada.submit('/sign-up', { email: 'ada@example.test' })
    const link = await four.linkTo('ada@example.test')
    await ada.open(link)
    assert.equal((await ada.submit(link, { name: 'Ada', password: PASSWORD })).location, '/enroll')
    const { html } = await ada.open('/enroll')
    const secret = /<code class="secret"[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? ''
    await ada.submit('/enroll', { code: await codeNow(secret) })
    await ada.submit('/enroll/done')
    assert.deepEqual(await four.statuses(ada), EVERYWHERE)

    await ada.open('/account')
    await ada.submit('/logout')
    assert.deepEqual(await four.statuses(ada), NOWHERE)

    await four.renew()
    await ada.open('/login')
    await ada.submit('/login', { email: 'ada@example.test', password: PASSWORD })
    await ada.open('/login/2fa')
    assert.equal((await ada.submit('/login/2fa', { code: await codeNow(secret) })).location, '/account')
    assert.deepEqual(await four.statuses(ada), EVERYWHERE)
  })

  it(`take one code once, ${CLICKS} times, however many clicks come at once [RA-3202 R-01]`, async () => {
    for (let round = 0; round < CLICKS; round += 1) {
      const first = await pending()
      const clicks = Array.from({ length: 8 }, () => first.twin())
      await four.renew()
      const logins = await four.count("event WHERE kind = 'logged-in'")
      const code = await codeNow(four.secret)

      await Promise.all(clicks.map((click) => click.submit('/login/2fa', { code })))

      assert.equal(await four.count("event WHERE kind = 'logged-in'"), logins + 1)
      assert.equal(await four.count('used_step'), 1)
    }
  })

  it('count failures together, and lock together [RA-3202 RA-0801]', async () => {
    await four.renew()
    const visitor = new Visitor(four.url)
    const statuses: number[] = []
    for (let time = 0; time < PASSWORD_LIMIT.failures; time += 1)
      statuses.push((await visitor.password('wrong')).status)

    const locked = await visitor.password(DEMO_PASSWORD)

    assert.deepEqual([...new Set(statuses.slice(0, -1))], [422])
    assert.equal(locked.status, 429)
    assert.equal(await four.count("attempt WHERE subject LIKE 'password:%'"), 1)
    await four.renew()
  })

  it('end a session everywhere, whichever of them makes the change that ends it [RA-3202 RA-3001]', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    assert.deepEqual(await four.statuses(other), EVERYWHERE)

    await one.open('/account/recovery-codes')
    await one.submit('/account/recovery-codes')

    assert.deepEqual([await four.statuses(one), await four.statuses(other)], [EVERYWHERE, NOWHERE])
  })

  it('serve on while one after the other is restarted: no request fails, and nobody is signed out [RA-3202]', async () => {
    const visitors = [await signedIn(), await signedIn(), await signedIn()]
    const seen = new Map<number, number>()
    const end = new AbortController()
    const load = visitors.map(async (visitor) => {
      while (!end.signal.aborted) {
        const { status } = await visitor.open('/account')
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    })

    for (const index of [0, 1, 2, 3]) await four.restart(index, 'SIGTERM')
    end.abort()
    await Promise.all(load)

    assert.deepEqual([...seen.keys()], [200])
    for (const visitor of visitors) assert.deepEqual(await four.statuses(visitor), EVERYWHERE)
  })

  it(`use a code up with its sign-in, or not at all, where one of them is killed in between, ${KILLS} times [RA-3202 RA-2702]`, async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const visitor = await pending()
      await four.renew()
      const logins = await four.count("event WHERE kind = 'logged-in'")
      const code = await codeNow(four.secret)

      const sent = visitor.submit('/login/2fa', { code }, { [ASKED]: '0' })
      await pause(4 * round)
      await four.restart(0, 'SIGKILL')
      const { location } = await sent
      const made = (await four.count("event WHERE kind = 'logged-in'")) - logins

      assert.equal(await four.count('used_step'), made)
      if (location === '/account') assert.deepEqual([made, await four.statuses(visitor)], [1, EVERYWHERE])
      const again = await pending()
      const { location: second } = await again.submit('/login/2fa', { code })
      assert.equal(second === '/account', made === 0)
    }
  })

  it('answer 503 while PostgreSQL or Redis is away, and lose nobody who was signed in [RA-3202]', async () => {
    const visitor = await signedIn()

    await four.postgres.stop('SIGQUIT')
    assert.deepEqual(await four.statuses(visitor), [503, 503, 503, 503])
    await four.postgres.start()
    assert.deepEqual(await four.statuses(visitor), EVERYWHERE)

    await four.redis.kill()
    assert.deepEqual(await four.statuses(visitor), [503, 503, 503, 503])
    await four.redis.start()
    await pause(1000)
    assert.deepEqual(await four.statuses(visitor), EVERYWHERE)
  })
})
