import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from 'sallyport'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { PARTS } from '../../parts.ts'
import { ofParts } from '../facts-of-parts.ts'
import { type Browser, EVERY_PERMISSION, type Page, PASSWORD, World } from '../support.ts'
import { routesOf } from './routes.ts'
import { atDoor, DOOR, SECURITY, signUp, ownerOf } from './steps.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

/** What a problem says about the form. */
interface Problem {
  readonly code: string
  readonly violations?: readonly { readonly field: string | null; readonly code: string }[]
}

// Nothing that a form asks for.
const UNFIT = { email: 'no address', password: '', code: 'no', name: '', label: '', reason: '', days: 'no' }

/** States of a session: the routes that are asked for in it, a page of it with a form, and how a person gets there. */
const STATES: Readonly<
  Record<
    string,
    readonly [routes: RegExp, form: string, enter: (world: World, name: string) => Promise<Browser>]
  >
> = {
  nobody: [/^/, '/login', (world) => Promise.resolve(world.browser())],
  'password proven': [
    /^\/login/,
    DOOR,
    async (world, name) => atDoor(world, await world.person(name, { factor: 'enabled' })),
  ],
  enrolling: [
    /^\/enroll/,
    '/enroll',
    async (world, name) => {
      const browser = world.browser()
      await signUp(world, browser, name)
      return browser
    },
  ],
  'signed in long ago': [
    /^\/(?:account|admin)/,
    SECURITY,
    async (world, name) => {
      const browser = await world.inside(
        await world.person(name, { factor: 'enabled', permissions: EVERY_PERMISSION }),
      )
      world.clock.advance(STEP_UP_SECONDS)
      return browser
    },
  ],
}

// In place of a redirect a form says where it leads; every refusal is told in problem details.
function assertTold({ status, headers, html }: Page, line: string): void {
  assert.ok(status < 500, `${line}: ${status}`)
  if (status >= 400) {
    assert.equal(headers.get('content-type'), 'application/problem+json', line)
    assert.match((JSON.parse(html) as Problem).code, /^ERR_/, line)
  }
  if (line.startsWith('POST')) assert.ok(status < 300 || status >= 400, `${line}: ${status}`)
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Session /, line)
}

describe('a client that prefers JSON', () => {
  it('is told by a protected action what to prove, and where [RA-0007 RA-1401]', async (test) => {
    const { world, person: ada, browser } = await ownerOf(test)
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
    const { world, person: ada } = await ownerOf(test)
    const browser = await atDoor(world, ada)
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

  it('signs in through both doors and out again without a page: state, token, JSON, next location [RA-0007 LOGIN-01]', async (test) => {
    const world = await World.create(test)
    const { email, ...ada } = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    const state = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse((await browser.open(path, JSON_CLIENT)).html) as Readonly<Record<string, unknown>>
    const send = async (path: string, json: Readonly<Record<string, Json>>): Promise<unknown> => {
      const headers = { ...JSON_CLIENT.headers, 'x-csrf-token': String((await state(path))['csrf']) }
      const answer = await browser.client.post(path, { json, headers })
      return answer.status === 422 ? answer.status : answer.json()
    }

    const door = await state('/login')
    const refused = await send('/login', { email: 7, password: null })
    const first = await send('/login', { email, password: PASSWORD })
    const challenge = await state('/login/2fa')
    const pending = await browser.isSignedIn()
    const second = await send('/login/2fa', { code: await world.code({ email, ...ada }) })
    const inside = await browser.isSignedIn()
    const third = await send('/logout', {})

    assert.deepEqual([door['page'], refused], ['sign-in', 422])
    assert.deepEqual([challenge['page'], challenge['kind']], ['challenge', 'totp'])
    assert.deepEqual(
      [first, second, third],
      ['/login/2fa', '/account', '/login'].map((location) => ({ location })),
    )
    assert.deepEqual([pending, inside, await browser.isSignedIn()], [false, true, false])
  })

  for (const [state, [own, form, enter]] of Object.entries(STATES))
    it(`is told by every route what is refused, and where a form leads: ${state} [RA-0007]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const routes = (await routesOf(world)).filter(({ path }) => own.test(path))
      const statuses = new Map<string, number>()

      for (const [index, { method, path }] of routes.entries())
        for (const code of ['no', '000000']) {
          const browser = await enter(world, `ada-${index}-${code}`)
          assert.equal((await browser.open(form)).status, 200)
          const send =
            method === 'POST'
              ? browser.submit(path, { ...UNFIT, code }, JSON_CLIENT)
              : browser.open(path, JSON_CLIENT)
          const page = await send
          assertTold(page, `${method} ${path}`)
          statuses.set(`${method} ${path}`, page.status)
        }

      assert.ok(routes.length > 3)
      if (state !== 'nobody') return
      assert.ok(routes.length > 40 + 2 * PARTS.length)
      // Where a browser is led to the login page.
      const guarded = [...statuses].filter(([route]) => / \/(account|admin)(\/|$)/.test(route))
      assert.ok(
        guarded.every(([, status]) => status === 401 || status === 404),
        JSON.stringify(guarded),
      )
    })
})
