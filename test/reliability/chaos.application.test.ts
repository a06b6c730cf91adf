import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { serve } from 'sallyport/node'

import { type Chaos, draw, Fault } from './chaos/application-plan.ts'
import { Random, seedOf } from './paths/random.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const APPLICATIONS = NIGHTLY ? 40_000 : 600
const AT_ONCE = 30
const REQUESTS = 3
const seed = seedOf('CHAOS_SEED')

type Ask = (path: string, init?: RequestInit) => Promise<Response>

interface Outcome {
  readonly status: number
  readonly cookie: string
}

const unhandled: unknown[] = []
const collect = (reason: unknown): void => void unhandled.push(reason)
// A listener that fails is written to the standard error output: here that is expected hundreds of times.
const { write } = process.stderr
describe(`applications that break every rule (CHAOS_SEED=${seed})`, () => {
  before(() => {
    process.on('unhandledRejection', collect)
    process.stderr.write = () => true
  })
  after(() => {
    process.off('unhandledRejection', collect)
    process.stderr.write = write
  })

  it('through fetch(): answered once, reported once, nothing kept by an error [HOLD-49 HOLD-59 HOLD-20]', async () => {
    await tryMany(APPLICATIONS, (chaos, trial) =>
      trial((path, init) => chaos.app.fetch(new Request(`http://app.test${path}`, init))),
    )
  })

  it('through serve(): answered once, reported once, nothing kept by an error [HOLD-49 HOLD-59 HOLD-20]', async () => {
    await tryMany(APPLICATIONS / 2, async (chaos, trial) => {
      const server = await serve(chaos.app, { port: 0, signals: [], drainMilliseconds: 50 })
      try {
        await trial((path, init) => fetch(server.url + path, init))
      } finally {
        await server.close()
      }
    })
  })
})

async function tryMany(
  count: number,
  open: (chaos: Chaos, trial: (ask: Ask) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < count; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) => first + i)
    await Promise.all(
      batch.map(async (number) => {
        const chaos = draw(new Random(seed + number))
        const where = `CHAOS_SEED=${seed}, application ${number}: ${chaos.plan.join(', ')}`
        await open(chaos, (ask) => judge(chaos, ask, where))
      }),
    )
    assert.deepEqual(unhandled, [], `CHAOS_SEED=${seed}, applications from ${first} to ${first + AT_ONCE}`)
  }
}

async function judge(chaos: Chaos, ask: Ask, where: string): Promise<void> {
  const outcomes = await Promise.all(
    Array.from({ length: REQUESTS }, (_, i) =>
      answerOf(ask, { path: `/?${i}`, method: i === 2 ? 'HEAD' : 'GET', where }),
    ),
  )
  // What is late has come by then.
  await sleep(80)
  const { thrown, handled, heard } = chaos.ledger
  for (const fault of thrown) {
    const times = heard.filter((each) => each === fault).length
    assert.equal(times, handled.has(fault) ? 0 : 1, `"${fault.message}" was heard ${times} times: ${where}`)
  }
  for (const each of heard) if (each instanceof Fault) assert.ok(thrown.has(each))
  for (const [i, { status, cookie }] of outcomes.entries()) {
    assert.ok(status >= 200 && status <= 599, `status ${status}: ${where}`)
    if (cookie === '') continue
    const { kept } = (await (await ask('/kept', { headers: { cookie } })).json()) as { kept: string | null }
    assert.equal(kept, status >= 500 ? null : String(i), `kept ${kept} with ${status}: ${where}`)
  }
}

async function answerOf(
  ask: Ask,
  { path, method, where }: { readonly path: string; readonly method: string; readonly where: string },
): Promise<Outcome> {
  const response = await ask(path, { method, signal: AbortSignal.timeout(20_000) }).catch(
    (cause: unknown) => {
      // A body that fails at once takes the head with it, which was not sent yet.
      if (/failing stream|stream of texts/.test(where)) return new Response(null)
      throw new Error(`no answer: ${where}`, { cause })
    },
  )
  const cookie = response.headers.getSetCookie().find((line) => /^sid[-\d]*=./.test(line)) ?? ''
  // Some bodies fail and some never end: enough of each is read to know.
  const reader = response.body?.getReader()
  try {
    for (let parts = 0; parts < 4; parts++) {
      const read = await Promise.race([reader?.read(), sleep(40).then(() => undefined)])
      if (read === undefined || read.done) break
    }
  } catch {
    // A body that fails is cut off.
  }
  await reader?.cancel().catch(() => undefined)
  return {
    status: response.status,
    cookie: /^sid[-\d]*=(?:Max-Age|;)/.test(cookie) ? '' : (cookie.split(';')[0] ?? ''),
  }
}
