import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { MAX_NORMALIZED_LENGTH } from '../../../packages/sallyport-app/src/text/index.ts'
import { ofParts } from '../../../starter/test/facts-of-parts.ts'
import { CHOICE } from '../../../starter/test/languages.ts'
import { type Browser, EVERY_PERMISSION, World } from '../../../starter/test/support.ts'
import { type Route, routesOf } from '../../../starter/test/flow/routes.ts'
import { confirm } from '../../../starter/test/flow/steps.ts'
import { normalizedLengths } from '../../../starter/test/normalized-lengths.ts'

// Each field that a form of the starter has.
const FIELDS =
  'age after code days email factor form handle label language name opened password q reason recovery_code response return_url scopes[] set sign_in trust viewport'.split(
    ' ',
  )
// What takes more than linear time where something normalizes, folds or matches it: marks to put in order, and runs that an expression
// tries at each of their places.
const HARD = ['a\u0316\u0301', ' ', '-', 'a@']
// All fields together fit into a body of 1 MiB.
const LONG = 30_000
const TIMES = 8
// Twice the text takes twice the time, and a part of each request does not depend on it. A single field with a quadratic cost
// comes to more.
const MOST_AT_EIGHTFOLD = 6
const ATTEMPTS = 4
// These end the session that the walk needs.
const ENDS = /^\/(logout|account\/sessions|admin\/end-sessions)|\/(cancel|remove|replace)$/

function fieldsOf(length: number): Record<string, string> {
  const run = Math.floor(length / HARD.length)
  const text = HARD.map((piece) => piece.repeat(Math.ceil(run / piece.length))).join('')
  return Object.fromEntries(FIELDS.map((name) => [name, text]))
}

/** A browser, and the token of a page that it has opened. */
interface Sender {
  readonly browser: Browser
  readonly token: string
}

async function opened(browser: Browser, path: string): Promise<Sender> {
  const { html } = await browser.open(path)
  const [, token] = /name="_csrf" value="([^"]+)"/.exec(html) ?? []
  assert.ok(token !== undefined, path)
  return { browser, token }
}

async function milliseconds({ browser, token }: Sender, path: string, length: number): Promise<number> {
  const multipart = { ...fieldsOf(length), _csrf: token }
  const start = performance.now()
  const response = await browser.client.post(path, { multipart })
  await response.arrayBuffer()
  assert.ok(response.status < 500, `${path}: ${response.status}`)
  return performance.now() - start
}

/** How many times longer the long text takes, each by its shortest of some runs. */
async function growth(sender: Sender, path: string): Promise<number> {
  let [short, long] = [Infinity, Infinity]
  for (let i = 0; i < ATTEMPTS && (i === 0 || long > MOST_AT_EIGHTFOLD * short); i++) {
    short = Math.min(short, await milliseconds(sender, path, LONG / TIMES))
    long = Math.min(long, await milliseconds(sender, path, LONG))
  }
  return long / short
}

async function posts(world: World, values?: Readonly<Record<string, string>>): Promise<readonly Route[]> {
  const routes = await routesOf(world, values)
  return routes.filter(({ method, path }) => method === 'POST' && !ENDS.test(path))
}

/** Sends the long text to all routes, and tells the paths that read what was sent: they found it wrong. */
async function assertLinear(
  test: TestContext,
  routes: readonly Route[],
  open: () => Promise<Sender>,
): Promise<readonly string[]> {
  const lengths = normalizedLengths(test)
  const slow: string[] = []
  const read: string[] = []
  for (const { path } of routes) {
    const sender = await open()
    const times = await growth(sender, path)
    if (times > MOST_AT_EIGHTFOLD)
      slow.push(`${path}: ${times.toFixed(1)} times as long for eight times the text`)
    const { status } = await sender.browser.client.post(path, {
      form: { ...fieldsOf(100), _csrf: sender.token },
    })
    if (status === 422) read.push(path)
  }
  assert.deepEqual(slow, [])
  assert.deepEqual(
    lengths.filter((length) => length > MAX_NORMALIZED_LENGTH),
    [],
  )
  return read
}

describe('long text in every field of every form', () => {
  it('costs no more than its length, for somebody who is nobody [MEND-01]', async (test) => {
    const world = await World.create(test)

    const read = await assertLinear(test, await posts(world), () => opened(world.browser(), '/login'))

    assert.deepEqual(read, [...CHOICE, '/login', '/sign-up', '/forgot'])
  })

  it('costs no more than its length, between password and second factor [MEND-01]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const routes = (await posts(world)).filter(({ path }) => path.startsWith('/login/2fa'))

    const read = await assertLinear(test, routes, async () => {
      const browser = world.browser()
      await browser.password(ada)
      return opened(browser, '/login/2fa')
    })

    assert.deepEqual(read, ['/login/2fa', '/login/2fa/recovery'])
  })

  it('costs no more than its length, for somebody signed in who has just proven a factor [MEND-01]', async (test) => {
    const world = await World.create(test)
    const bob = await world.person('bob')
    const values = Object.fromEntries(Object.keys(ofParts('ofAccounts')).map((start) => [start, bob.id]))
    const path = '/account/password'
    let people = 0

    const read = await assertLinear(test, await posts(world, values), async () => {
      // Somebody new for each route: wrong codes lock an account.
      const person = await world.person(`a${people++}`, { factor: 'enabled', permissions: EVERY_PERMISSION })
      const browser = world.browser()
      await browser.signIn(person)
      world.clock.advance(30)
      await confirm(world, browser, { person, path })
      return opened(browser, path)
    })

    for (const path of [
      ...CHOICE,
      '/account/password',
      ...Object.keys(ofParts('guarded')),
      '/sign-up',
      '/forgot',
    ])
      assert.ok(read.includes(path), path)
  })
})
