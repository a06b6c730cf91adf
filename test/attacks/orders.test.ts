import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MemorySessionStore } from 'sallyport/session'
import { FrozenClock } from 'sallyport/testing'
import { COOKIE } from './fixture/browser.ts'
import { InstantHasher } from './fixture/hashers.ts'
import { PointStore } from './fixture/point-store.ts'
import { atRandom, type Choice, Scheduler, withChanges } from './fixture/scheduler.ts'
import { passwordOf, T0, World } from './fixture/world.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const POINTS = 24
const STEP = 7

/** Requests that one browser sends at once, by the state that it begins in. */
const REQUESTS = {
  pending: ['code', 'bob', 'wrong', 'cancel', 'logout', 'page'],
  full: ['bob', 'logout', 'slow', 'account', 'cancel'],
} as const
type Start = keyof typeof REQUESTS

interface Outcome {
  readonly request: string
  readonly status: number
  readonly location: string | null
  readonly id: string | undefined
}

async function worldOf(test: Parameters<typeof World.create>[0], scheduler: Scheduler): Promise<World> {
  const store = new PointStore(new MemorySessionStore({ clock: new FrozenClock(T0) }), scheduler.point)
  const hasher = new InstantHasher(scheduler.point)
  const world = await World.create(test, {
    sessions: store,
    hasher,
    limits: { perAccount: 1000, perChallenge: 1000 },
  })
  world.fixture.gates.handler = scheduler.point
  return world
}

/** Sends requests of one browser in one order, and checks what must hold afterwards. */
async function play(
  world: World,
  scheduler: Scheduler,
  play: { start: Start; requests: readonly string[]; choice: Choice },
): Promise<void> {
  const { start, requests, choice } = play
  world.forgetSteps()
  world.accounts.run('DELETE FROM event')
  world.canaries.clear()
  world.answers.length = 0
  const browser = start === 'pending' ? await world.pending('ada') : await world.loggedIn('ada')
  world.forgetSteps()
  await browser.get(start === 'pending' ? '/login/2fa' : '/account')
  const [before, token] = [browser.sessionId ?? '', browser.token]
  const forms: Record<string, [string, Record<string, string>]> = {
    code: ['/login/2fa', { code: world.code('ada') }],
    bob: ['/login', { email: 'bob', password: passwordOf('bob') }],
    wrong: ['/login', { email: 'bob', password: 'wrong' }],
    cancel: ['/login/2fa/cancel', {}],
    logout: ['/logout', {}],
  }
  const pages: Record<string, string> = { page: '/login/2fa', slow: '/account/slow', account: '/account' }
  const tasks = requests.map((request) => async (): Promise<Outcome> => {
    const { client } = browser.twin()
    const [target, fields] = forms[request] ?? [pages[request] ?? '/', undefined]
    const response =
      fields === undefined
        ? await client.get(target)
        : await client.post(target, { form: { _csrf: token, ...fields } })
    const id = client.cookie(COOKIE)
    return {
      request,
      status: response.status,
      location: response.headers.get('location'),
      id: id === before ? undefined : id,
    }
  })
  await assertOutcome(
    world,
    { start, before, outcomes: await scheduler.run(tasks, choice) },
    requests.join('+'),
  )
}

async function assertOutcome(
  world: World,
  { start, before, outcomes }: { start: Start; before: string; outcomes: readonly Outcome[] },
  name: string,
): Promise<void> {
  const said = `${start} ${name}: ${JSON.stringify(outcomes.map(({ request, status, location }) => [request, status, location]))}`
  for (const { status } of outcomes) assert.ok(status < 500, said)
  const ids = [before, ...outcomes.flatMap(({ id }) => (id === undefined ? [] : [id]))]
  const records = (await Promise.all(ids.map((id) => world.sessionData(id)))).filter(
    (record) => record !== null,
  )
  assert.ok(records.length <= 1, `one live session: ${said}`)
  assert.ok(new Set(ids).size <= 2 || records.length <= 1, `one new id: ${said}`)
  const [record = {}] = records
  assert.ok(!('_auth' in record && '_2fa' in record), `an identity and a challenge at once: ${said}`)
  const isDone = (request: string): boolean =>
    outcomes.some((outcome) => outcome.request === request && outcome.location === '/account')
  if (record['_auth'] === 'u2') assert.ok(isDone('bob'), `bob without his password: ${said}`)
  if (record['_auth'] === 'u1') assert.ok(start === 'full' || isDone('code'), `ada without her code: ${said}`)
  const hasLeft = outcomes.some(({ request, id }) => request === 'logout' && id !== undefined)
  if (hasLeft && !isDone('bob') && !isDone('code'))
    assert.equal(record['_auth'], undefined, `logged in after leaving: ${said}`)
}

function pairsOf(requests: readonly string[]): string[][] {
  return requests.flatMap((one, i) => requests.slice(i).map((other) => [one, other]))
}

describe('orders of requests', () => {
  it('the state rules hold in every order of two requests [A-122]', async (test) => {
    const scheduler = new Scheduler()
    const world = await worldOf(test, scheduler)
    let count = 0
    for (const start of ['pending', 'full'] as const) {
      for (const [i, requests] of pairsOf(REQUESTS[start]).entries()) {
        for (let first = NIGHTLY ? 0 : i % STEP; first < POINTS; first += NIGHTLY ? 1 : STEP) {
          // By day one change of the request that moves, at other points for each pair; at night every two changes.
          for (let second = NIGHTLY ? 1 : POINTS; second <= POINTS; second++) {
            for (const order of [requests, requests.toReversed()]) {
              await play(world, scheduler, { start, requests: order, choice: withChanges([first, second]) })
              count++
            }
          }
        }
      }
    }
    test.diagnostic(`${count} orders of two`)
    assert.ok(count > 200)
  })

  it('the state rules hold in random orders of three requests [A-122]', async (test) => {
    const scheduler = new Scheduler()
    const world = await worldOf(test, scheduler)
    for (let seed = 1; seed <= (NIGHTLY ? 10_000 : 200); seed++) {
      const start = seed % 3 === 0 ? 'full' : 'pending'
      const all = REQUESTS[start]
      const requests = [seed, seed >> 2, seed >> 4].map((n) => all[(n * 7) % all.length] ?? 'page')
      await play(world, scheduler, { start, requests, choice: atRandom(seed) })
    }
  })
})
