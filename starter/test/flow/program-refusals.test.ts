import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { FACTOR_RULES } from '../../identity/policy/factor-rules.ts'
import { STEP_UP_SECONDS } from '../../identity/step-up/step-up.ts'
import { type Browser, type Page, World } from '../support.ts'
import { enroll, signUp } from './newcomer.ts'
import { everywhere, type Route, routesOf, type Values } from './routes.ts'

const PROGRAM = { headers: { accept: 'application/json' } }

/** A state of a session: its browser, the identifiers of what it owns, and the page whose form it sends. */
interface Standing {
  readonly browser: Browser
  readonly values?: Values
  readonly form: string
}

const STATES: Readonly<Record<string, (world: World) => Promise<Standing>>> = {
  async nobody(world) {
    return { browser: world.browser(), form: '/login' }
  },
  async 'password proven'(world) {
    const browser = world.browser()
    await browser.password(await world.person('ada', { factor: 'enabled' }))
    return { browser, form: '/login/2fa' }
  },
  async enrolling(world) {
    const browser = world.browser()
    await signUp(world, browser, 'ada')
    return { browser, form: '/enroll' }
  },
  async 'waiting for a link'(world) {
    const root = await world.person('root', { permissions: ['admin.access'] })
    await world.browser().password(root)
    world.clock.advance(FACTOR_RULES[0]?.graceSeconds ?? 0)
    const browser = world.browser()
    await browser.password(root)
    return { browser, form: '/enroll' }
  },
  async enrolled(world) {
    const browser = world.browser()
    await enroll(world, browser, 'ada')
    return { browser, form: '/enroll' }
  },
  async 'signed in'(world) {
    const { inside, values } = await everywhere(world)
    return { browser: inside, values, form: '/account/security' }
  },
  async 'signed in long ago'(world) {
    const { inside, values } = await everywhere(world)
    world.clock.advance(STEP_UP_SECONDS)
    return { browser: inside, values, form: '/account/security' }
  },
}

// What no form takes, with identifiers of what is there; and what a form takes that is wrong or about nothing.
const UNFIT = { email: 'no address', password: '', code: 'no', name: '', label: '', reason: '', days: 'no' }
const WRONG = {
  email: 'eve@example.test',
  password: 'not the password of anybody',
  code: '000000',
  recovery_code: '0000-0000-0000',
  response: '{}',
  label: 'Name',
  reason: 'Because',
  days: '30',
  factor: 'nonsense',
  set: 'nonsense',
  handle: 'nonsense',
  return_url: '/nowhere',
}
const INPUTS = [
  { what: 'unfit', fields: UNFIT, isKnown: true },
  { what: 'wrong', fields: WRONG, isKnown: false },
] as const

const ANY = Object.keys(STATES)
const INSIDE = ['signed in', 'signed in long ago']
const FRESH = ['signed in']
// Ends everything of its kind: nothing of it is left, whether or not there was something.
const ENDS_ALL = 'nothing of the kind is left'
const SENT = 'the answer is the same for every address'

/**
 * The redirects of a program that are no refusal, in which states, and why. Every other redirect is one: a page redirects to where
 * the same thing goes on, and a form when it has done what it is for.
 */
const SUCCEEDS: Readonly<Record<string, { readonly in: readonly string[]; readonly because: string }>> = {
  'GET /help -> /en/help': { in: ANY, because: 'the page in the language of the request' },
  'GET /account/confirm -> /account/security': { in: FRESH, because: 'nothing is left to prove' },
  'POST /account/confirm -> /account/security': { in: FRESH, because: 'nothing is left to prove' },
  'POST /logout -> /login': { in: ANY, because: ENDS_ALL },
  'POST /login/2fa/cancel -> /login': {
    in: ANY.filter((state) => !INSIDE.includes(state)),
    because: ENDS_ALL,
  },
  'POST /enroll/cancel -> /login': {
    // Once the factor counts, it is refused.
    in: ANY.filter((state) => ![...INSIDE, 'enrolled'].includes(state)),
    because: ENDS_ALL,
  },
  'POST /sign-up -> /sign-up/sent': { in: ANY, because: SENT },
  'POST /forgot -> /forgot/sent': { in: ANY, because: SENT },
  'POST /lost -> /lost': { in: ['password proven'], because: 'a mail has the link' },
  'POST /mail-code/send -> /mail-code': { in: ['password proven'], because: 'a mail has the code' },
  'POST /enroll/done -> /account': { in: ['enrolled'], because: 'the enrollment signs in' },
  'POST /enroll/mail -> /enroll': { in: ['waiting for a link'], because: 'a mail has the link' },
  'POST /account/address -> /account/address/sent': { in: FRESH, because: SENT },
  'POST /account/password -> /account/security': { in: FRESH, because: 'a new password will do' },
  'POST /account/passkeys/{id}/remove -> /account/security': { in: FRESH, because: 'it is removed' },
  'POST /account/security/factors/{id}/remove -> /account/security': { in: FRESH, because: 'it is removed' },
  'POST /account/security/devices/revoke-all -> /account/security': { in: INSIDE, because: ENDS_ALL },
  'POST /account/security/tokens/{id}/confirm -> /account/security/tokens': {
    in: FRESH,
    because: 'it counts again',
  },
  'POST /account/security/tokens/{id}/revoke -> /account/security/tokens': {
    in: INSIDE,
    because: 'it is revoked',
  },
  'POST /account/sessions/all -> /account/sessions/ended': { in: FRESH, because: ENDS_ALL },
  'POST /account/sessions/others -> /account/sessions': { in: FRESH, because: ENDS_ALL },
  'GET /account/sessions/end -> /account/sessions': { in: FRESH, because: 'the page of the form' },
  'GET /account/sessions/others -> /account/sessions': { in: FRESH, because: 'the page of the form' },
  'POST /admin/end-sessions -> /admin': { in: FRESH, because: 'the reason will do' },
}

type Reached = Standing & { readonly world: World }

async function reach(test: TestContext, enter: (world: World) => Promise<Standing>): Promise<Reached> {
  const world = await World.create(test, { mailCodes: true, trustedDeviceDays: 30 })
  return { world, ...(await enter(world)) }
}

// One form may end the state that the next one needs.
async function stay(at: Reached, again: () => Promise<Reached>): Promise<Reached> {
  if ((await at.browser.open(at.form)).status === 200) return at
  const renewed = await again()
  assert.equal((await renewed.browser.open(renewed.form)).status, 200)
  return renewed
}

async function routesFor({ world, values = {} }: Reached, isKnown: boolean): Promise<readonly Route[]> {
  const routes = await routesOf(world, isKnown ? values : {})
  return routes.filter(({ method }) => method !== 'HEAD')
}

// A redirect that says on the next page that something was wrong is a refusal, too.
async function warnings(browser: Browser): Promise<readonly unknown[]> {
  if (browser.sessionId === undefined) return []
  const entries = Object.entries(await browser.session()).filter(([key]) => key.startsWith('_flash.'))
  return entries.map(([, value]) => value).filter((value) => JSON.stringify(value).includes('"warning"'))
}

function nameOf({ method, path }: Route, values: Values = {}): string {
  const ids = ['seven', ...Object.values(values)]
  return `${method} ${ids.reduce((text, id) => text.replaceAll(id, '{id}'), path)}`
}

function assertRefused(page: Page, line: string): void {
  assert.ok(page.status < 500, `${line}: ${page.status}`)
  assert.equal(page.headers.get('content-type'), 'application/problem+json', line)
  assert.match((JSON.parse(page.html) as { code: string }).code, /^ERR_/, line)
}

describe('a program that is refused', () => {
  for (const [state, enter] of Object.entries(STATES))
    it(`is led to no page by any route: ${state} [RA-0007]`, async (test) => {
      const led = new Set<string>()
      for (const { fields, isKnown } of INPUTS) {
        let at = await reach(test, enter)
        const { length } = await routesFor(at, isKnown)
        assert.ok(length > 120, String(length))
        for (let index = 0; index < length; index++) {
          at = await stay(at, () => reach(test, enter))
          const { browser, values } = at
          const route = (await routesFor(at, isKnown))[index]
          assert.ok(route !== undefined)
          const name = nameOf(route, values)

          const page =
            route.method === 'POST'
              ? await browser.submit(route.path, fields, PROGRAM)
              : await browser.open(route.path, PROGRAM)

          if (page.status >= 400) assertRefused(page, name)
          if (page.status < 300 || page.status >= 400) continue
          led.add(`${name} -> ${page.location}`)
          assert.deepEqual(await warnings(browser), [], name)
          at = await reach(test, enter)
        }
      }

      const expected = Object.entries(SUCCEEDS).filter(([, success]) => success.in.includes(state))
      assert.deepEqual([...led].toSorted(), expected.map(([name]) => name).toSorted())
    })
})
