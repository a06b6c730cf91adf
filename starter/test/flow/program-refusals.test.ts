import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { PARTS } from '../../parts.ts'
import { demanding } from '../demanding.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, type Page, World } from '../support.ts'
import { enroll, signUp } from './steps.ts'
import { everywhere, type Route, routesOf, type Values } from './routes.ts'

// Who has this permission must hold a factor.
const HOLDERS = 'reports.read'
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
    const browser = world.browser()
    await browser.password(await world.person('root', { permissions: [HOLDERS] }))
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

type Reached = Standing & { readonly world: World }

async function reach(test: TestContext, enter: (world: World) => Promise<Standing>): Promise<Reached> {
  const world = await World.create(test, { ...ofParts('settings'), ...demanding({ holders: HOLDERS }) })
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

// In place of a redirect a form says where it leads; every refusal is told in problem details.
function assertTold({ status, headers, html }: Page, line: string): void {
  assert.ok(status < 500, `${line}: ${status}`)
  if (status >= 400) {
    assert.equal(headers.get('content-type'), 'application/problem+json', line)
    assert.match((JSON.parse(html) as { code: string }).code, /^ERR_/, line)
  }
  if (!line.startsWith('POST')) return
  assert.ok(status < 300 || status >= 400, `${line}: ${status}`)
  if (headers.get('content-type') === 'application/json') assert.match(html, /^{"location":"/, line)
}

describe('a program', () => {
  for (const [state, enter] of Object.entries(STATES))
    it(`is told by every route what is refused, and where a form leads: ${state} [RA-0007]`, async (test) => {
      for (const { fields, isKnown } of INPUTS) {
        let at = await reach(test, enter)
        const { length } = await routesFor(at, isKnown)
        assert.ok(length > 40 + 2 * PARTS.length, String(length))
        for (let index = 0; index < length; index++) {
          at = await stay(at, () => reach(test, enter))
          const { browser } = at
          const route = (await routesFor(at, isKnown))[index]
          assert.ok(route !== undefined)

          const page =
            route.method === 'POST'
              ? await browser.submit(route.path, fields, PROGRAM)
              : await browser.open(route.path, PROGRAM)

          assertTold(page, `${route.method} ${route.path}`)
        }
      }
    })
})
