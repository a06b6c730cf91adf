import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { STEP_UP_SECONDS } from '../../core/step-up/step-up-rule.ts'
import { PARTS } from '../../parts.ts'
import { missing, ofParts } from '../facts-of-parts.ts'
import { type Browser, PASSWORD, World } from '../support.ts'
import { everywhere, routesOf, type Values } from './routes.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

/** What a problem says about the form. */
interface Problem {
  readonly code: string
  readonly violations?: readonly { readonly field: string | null; readonly code: string }[]
}

/** A browser, and what fills the placeholders of paths. */
interface Entered {
  readonly browser: Browser
  readonly values?: Values
}

// Nothing that a form asks for.
const UNFIT = { email: 'no address', password: '', code: 'no', name: '', label: '', reason: '', days: 'no' }
// Forms that ask for something in any case: without them the walk has gone nowhere.
const ASKING = [
  '/login',
  '/login/2fa',
  '/sign-up',
  '/forgot',
  '/account/password',
  ...(missing('address-change') ? [] : ['/account/address']),
  '/account/security/add',
  ...Object.keys(ofParts('guarded')),
]

async function visit(world: World): Promise<Entered> {
  const browser = world.browser()
  await browser.open('/login')
  return { browser }
}

async function passPassword(world: World): Promise<Entered> {
  const { users } = world.identity
  const browser = world.browser()
  const email = 'ada@example.test'
  if ((await users.findByEmail(email)) === null) await world.person('ada', { factor: 'enabled' })
  await browser.password({ email })
  await browser.open('/login/2fa')
  return { browser }
}

async function signIn(world: World): Promise<Entered> {
  const { inside: browser, values } = await everywhere(world)
  await browser.open('/account/security')
  return { browser, values }
}

describe('a client that prefers JSON', () => {
  it('is refused in problem details by every form, never with a page, and learns what is wrong [RA-0007]', async (test) => {
    const refused = new Map<string, Problem>()
    for (const enter of [visit, passPassword, signIn]) {
      let world = await World.create(test)
      const posts = (await routesOf(world)).filter(({ method }) => method === 'POST')
      assert.ok(posts.length > 20 + PARTS.length, String(posts.length))
      for (const index of posts.keys()) {
        // One form ends the session that the next one needs.
        if (enter === signIn) world = await World.create(test)
        const { browser, values } = await enter(world)
        const { path = '' } =
          (await routesOf(world, values)).filter(({ method }) => method === 'POST')[index] ?? {}

        // Some pages begin what their form goes on with.
        await browser.open(path)
        const page = await browser.submit(path, UNFIT, JSON_CLIENT)

        if (page.status < 400) continue
        assert.ok(page.status < 500, `${path}: ${page.status}`)
        assert.equal(page.headers.get('content-type'), 'application/problem+json', path)
        const problem = JSON.parse(page.html) as Problem
        assert.match(problem.code, page.status === 403 ? /^ERR_APP_STEP_UP_REQUIRED$/ : /^ERR_/, path)
        if (problem.code === 'ERR_INPUT_VALIDATION') refused.set(path, problem)
      }
    }

    for (const [path, { violations = [] }] of refused) assert.notEqual(violations.length, 0, path)
    for (const path of ASKING) assert.ok(refused.has(path), path)
    for (const path of ['/sign-up', '/forgot'])
      assert.equal(refused.get(path)?.violations?.[0]?.field, 'email', path)
  })

  it('is told by a protected action what to prove, and where [RA-0007 RA-1401]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.signIn(ada)
    world.clock.advance(STEP_UP_SECONDS)
    const path = '/account/password'

    const page = await browser.open(path, JSON_CLIENT)
    await browser.open('/account/security')
    const form = await browser.submit(path, UNFIT, JSON_CLIENT)

    const url = `/account/confirm?return_url=${encodeURIComponent(path)}`
    const expected = { status: 403, code: 'ERR_APP_STEP_UP_REQUIRED' }
    for (const refused of [page, form]) {
      const { status, code, detail } = JSON.parse(refused.html) as Problem & {
        status: number
        detail: string
      }
      assert.deepEqual({ status, code }, expected)
      assert.equal(detail, `Prove the password and a second factor at ${url} first`)
    }
    await browser.open(url)
    await browser.submit('/account/confirm', {
      return_url: path,
      password: PASSWORD,
      code: await world.code(ada),
    })
    assert.equal((await browser.open(path, JSON_CLIENT)).status, 200)
  })

  it('is told with the last attempt that the challenge is spent, and afterwards that it is over [RA-0007 RA-0404]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    const codes: string[] = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      // The end of the challenge ends the tokens of its pages.
      if (attempt === 6) await browser.open('/login')
      const page = await browser.submit('/login/2fa', { code: await world.wrongCode(ada) }, JSON_CLIENT)
      const { code, violations = [] } = JSON.parse(page.html) as Problem
      codes.push(violations[0]?.code ?? code)
    }

    const wrong = Array.from({ length: 4 }, () => 'wrong_code')
    assert.deepEqual(codes, [...wrong, 'ERR_APP_CHALLENGE_SPENT', 'ERR_APP_NO_PENDING_SIGN_IN'])
  })

  it('signs in through both doors and out again without a page: state, token, next location [RA-0007]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    const state = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse((await browser.open(path, JSON_CLIENT)).html) as Readonly<Record<string, unknown>>
    const send = async (path: string, fields: Readonly<Record<string, string>>): Promise<unknown> =>
      JSON.parse((await browser.submit(path, fields, JSON_CLIENT)).html)

    const door = await state('/login')
    const { email } = ada
    const first = await send('/login', { _csrf: String(door['csrf']), email, password: PASSWORD })
    const challenge = await state('/login/2fa')
    const pending = await browser.isSignedIn()
    const code = await world.code(ada)
    const second = await send('/login/2fa', { _csrf: String(challenge['csrf']), code })
    const inside = await browser.isSignedIn()
    const leave = await state('/logout')
    const third = await send('/logout', { _csrf: String(leave['csrf']) })

    assert.equal(door['page'], 'sign-in')
    assert.deepEqual([challenge['page'], challenge['kind']], ['challenge', 'totp'])
    assert.deepEqual(
      [first, second, third],
      ['/login/2fa', '/account', '/login'].map((location) => ({ location })),
    )
    assert.deepEqual([pending, inside, await browser.isSignedIn()], [false, true, false])
  })
})
