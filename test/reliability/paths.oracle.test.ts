import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'

import type { RouteMatch } from 'sallyport/routing'

import { figure, sized, NONE } from './figure.ts'
import { build, type BuiltApplication } from './paths/build.ts'
import type { ApplicationDraft } from './paths/draft.ts'
import { generateApplication, OTHER_PROFILES, type Profile, PROFILES } from './paths/generate.ts'
import { type Answer, Oracle } from './paths/oracle.ts'
import { Random, seedOf } from './paths/random.ts'
import { RawSource } from './paths/raw-source.ts'
import { type Asked, generateRequest, respell } from './paths/urls.ts'

const SEED = seedOf('PATHS_SEED')
const PER_PROFILE = sized(8000, 1_000_000)
const PER_APPLICATION = sized(400, 1000)
// Of how many applications one answers its requests once more, for the time.
const REPLAYED = 4
const QUERIES = ['', '', 'a=1&b=%20', 'next=//evil.test&x=%zz', 'q=%27(+%c3%a9)&&=', '?'] as const

/** What is counted over a run. */
interface Counts {
  urls: number
  redirects: number
  found: number
  /** Other spellings of what was found. */
  spellings: number
  /** Requests of which the time was taken, and microseconds of the processor that they took. */
  timed: number
  spent: number
}

interface Subject extends BuiltApplication {
  readonly draft: ApplicationDraft
  readonly oracle: Oracle
  readonly counts: Counts
}

function answerOf(match: RouteMatch, nameOf: BuiltApplication['nameOf']): Answer {
  if (match.kind !== 'found') return match
  const { module, controller, action, args, locale, name, middlewares } = match.route
  return {
    kind: 'found',
    module,
    controller: nameOf(controller),
    action,
    args,
    locale,
    name,
    middlewares: middlewares.map((middleware) => middleware.name),
  }
}

/** What the actions and middlewares note when a request is answered so. */
function traceOf(answer: Answer): readonly string[] {
  if (answer.kind !== 'found') return []
  const { middlewares, controller, action, args } = answer
  return [...middlewares, `${controller}.${action}(${JSON.stringify(args)})`]
}

const STATUS = { found: 200, redirect: 308, methodNotAllowed: 405, notFound: 404, badRequest: 400 } as const

async function checkAnswer({ method, path }: Asked, subject: Subject, query: string): Promise<Answer> {
  const { app, trace, nameOf, oracle, counts } = subject
  const expected = oracle.answer(method, path)
  // Only what is a promise is waited for: most is none, and there are millions.
  const early = app.router().resolve(method, path)
  const answer = answerOf(early instanceof Promise ? await early : early, nameOf)
  // The text is compared first, for it is cheap.
  if (JSON.stringify(answer) !== JSON.stringify(expected)) assert.deepEqual(answer, expected)

  trace.length = 0
  const made = app.handle(new RawSource(method, query === '' ? path : `${path}?${query}`))
  const response = made instanceof Promise ? await made : made
  assert.equal(response.status, STATUS[expected.kind])
  assert.equal(trace.join('\n'), traceOf(expected).join('\n'))
  if (expected.kind === 'methodNotAllowed')
    assert.equal(response.headers.get('allow'), expected.allowed.join(', '))
  if (expected.kind === 'redirect') {
    const location = response.headers.get('location')
    assert.equal(location, query === '' ? expected.location : `${expected.location}?${query}`)
  }
  counts.urls++
  if (expected.kind === 'redirect') counts.redirects++
  if (expected.kind === 'found') counts.found++
  return expected
}

/** the redirect is final, stays on the origin, and holds nothing that splits a header. */
async function checkRedirect(location: string, { method, path }: Asked, { app }: Subject): Promise<void> {
  assert.match(location, /^\/(?![/\\])[\u0021-\u007e]*$/)
  assert.equal(new URL(location, 'https://app.test').href, `https://app.test${location}`)
  assert.notEqual(location, path)
  const resolved = app.router().resolve(method, location)
  const final = resolved instanceof Promise ? await resolved : resolved
  assert.equal(final.kind, 'found', `-> ${location}`)
}

/** another spelling of what was found is not found as well, but redirected or nothing. */
async function checkSpelling(random: Random, { method, path }: Asked, subject: Subject): Promise<void> {
  const { app, draft, nameOf, counts } = subject
  const other = respell(random, path)
  if (draft.policy === 'preserve' || other === path) return
  const first = app.router().resolve(method, path)
  const second = app.router().resolve(method, other)
  const one = answerOf(first instanceof Promise ? await first : first, nameOf)
  const two = answerOf(second instanceof Promise ? await second : second, nameOf)
  assert.notEqual(JSON.stringify(one), JSON.stringify(two), `${other} is found, too`)
  counts.spellings++
}

async function replay(asked: readonly Asked[], { app, counts }: Subject): Promise<void> {
  const before = process.cpuUsage()
  for (const { method, path } of asked) {
    const response = app.handle(new RawSource(method, path))
    if (response instanceof Promise) await response
  }
  const { user, system } = process.cpuUsage(before)
  counts.spent += user + system
  counts.timed += asked.length
}

async function run(profiles: readonly Profile[], total: number, base: number): Promise<Counts> {
  const counts: Counts = { urls: 0, redirects: 0, found: 0, spellings: 0, timed: 0, spent: 0 }
  for (let index = 0; counts.urls < total; index++) {
    const random = new Random(base + index * 7919)
    const draft = generateApplication(random, random.pick(profiles))
    const subject = { ...(await build(draft)), draft, oracle: new Oracle(draft), counts }
    const all: Asked[] = []
    for (let turn = 0; turn < PER_APPLICATION; turn++) {
      const asked = generateRequest(random, draft)
      all.push(asked)
      try {
        const answer = await checkAnswer(asked, subject, random.pick(QUERIES))
        if (answer.kind === 'redirect') await checkRedirect(answer.location, asked, subject)
        if (answer.kind === 'found') await checkSpelling(random, asked, subject)
      } catch (error) {
        const where = `PATHS_SEED=${SEED}, application ${index}, URL ${turn}: ${asked.method} ${JSON.stringify(asked.path)}`
        throw new Error(`${where}\n${JSON.stringify(draft)}`, { cause: error })
      }
    }
    if (index % REPLAYED === 0) await replay(all, subject)
  }
  return counts
}

function report(t: TestContext, name: string, counts: Counts): void {
  const { urls, redirects, found, spellings, timed, spent } = counts
  const what = `${urls} URLs under ${name}, ${found} of them found (seed ${SEED})`
  figure(t, 'R-50', {
    what: `answers unlike the oracle's, 5xx or of two modules, ${what}`,
    value: NONE,
    goal: '0',
  })
  const rate = Math.round(timed / (spent / 1_000_000))
  figure(t, 'R-50', {
    what: 'requests in process, per second of a core',
    value: rate,
    goal: 'at least 20000',
  })
  figure(t, 'R-51', { what: `of ${redirects} redirects not final or off the origin`, value: NONE, goal: '0' })
  figure(t, 'R-52', { what: `of ${spellings} other spellings both 200`, value: NONE, goal: '0' })
}

describe('the paths of random applications', () => {
  for (const [index, profile] of PROFILES.entries()) {
    it(`${profile.name} answers every URL as the oracle does, by one redirect at most [R-50 R-51 R-52]`, async (t) => {
      const counts = await run([profile], PER_PROFILE, SEED + index)

      report(t, profile.name, counts)
    })
  }

  it('so do the profiles that only routing() gives [R-50 R-51 R-52]', async (t) => {
    const counts = await run(OTHER_PROFILES, PER_PROFILE, SEED + PROFILES.length)

    report(t, 'the other profiles', counts)
  })
})
