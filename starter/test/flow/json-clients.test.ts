import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from 'sallyport'
import { STEP_UP_SECONDS } from 'sallyport-app/step-up'
import { CHALLENGE_ATTEMPTS } from '../../core/limits/limits.ts'
import { PARTS } from '../../parts.ts'
import { ofParts } from '../facts-of-parts.ts'
import { EVERY_PERMISSION, type Page, PASSWORD, World } from '../support.ts'
import { routesOf } from './routes.ts'
import { atDoor, DOOR, ownerOf, SECURITY, signUp } from './steps.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

// Nothing that a form asks for.
const UNFIT = { email: 'no address', password: '', code: 'no', name: '', label: '', reason: '', days: 'no' }

/** States of a session: the routes that are asked for in it, a page of it with a form, and how a person gets there. */
const STATES = {
  nobody: { own: /^/, form: '/login', enter: async (world: World) => world.browser() },
  'password proven': {
    own: /^\/login/,
    form: DOOR,
    enter: async (world: World, name: string) =>
      atDoor(world, await world.person(name, { factor: 'enabled' })),
  },
  enrolling: {
    own: /^\/enroll/,
    form: '/enroll',
    async enter(world: World, name: string) {
      const browser = world.browser()
      await signUp(world, browser, name)
      return browser
    },
  },
  'signed in long ago': {
    own: /^\/(?:account|admin)/,
    form: SECURITY,
    async enter(world: World, name: string) {
      const permissions = EVERY_PERMISSION
      const browser = await world.inside(await world.person(name, { factor: 'enabled', permissions }))
      world.clock.advance(STEP_UP_SECONDS)
      return browser
    },
  },
}

/** @returns The code of a problem. */
function codeOf(json: string): string {
  return (JSON.parse(json) as { readonly code: string }).code
}

// In place of a redirect a form says where it leads; every refusal is told in problem details.
function assertTold({ status, headers, html }: Page, line: string): void {
  assert.ok(status < 500, `${line}: ${status}`)
  if (line.startsWith('POST')) assert.ok(status < 300 || status >= 400, `${line}: ${status}`)
  if (status < 400) return
  assert.equal(headers.get('content-type'), 'application/problem+json', line)
  assert.match(codeOf(html), /^ERR_/, line)
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Session /, line)
}

describe('a client that prefers JSON', () => {
  it('is told with the last attempt that the challenge is spent, and afterwards that it is over [RA-0007 RA-0404]', async (test) => {
    const { world, person: ada } = await ownerOf(test)
    const browser = await atDoor(world, ada)
    const code = await world.wrongCode(ada)
    for (let attempt = 1; attempt < CHALLENGE_ATTEMPTS; attempt += 1) await browser.submit(DOOR, { code })

    const last = await browser.submit(DOOR, { code }, JSON_CLIENT)
    // The end of the challenge ends the tokens of its pages.
    await browser.open('/login')
    const late = await browser.submit(DOOR, { code }, JSON_CLIENT)

    assert.deepEqual(
      [last, late].map(({ html }) => codeOf(html)),
      ['ERR_APP_CHALLENGE_SPENT', 'ERR_APP_NO_PENDING_SIGN_IN'],
    )
  })

  it('signs in through both doors and out again without a page: state, token, JSON, next location [RA-0007 LOGIN-01]', async (test) => {
    const { world, person, browser } = await ownerOf(test)
    const state = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse((await browser.open(path, JSON_CLIENT)).html) as Readonly<Record<string, unknown>>
    const send = async (path: string, json: Readonly<Record<string, Json>>): Promise<unknown> => {
      const headers = { ...JSON_CLIENT.headers, 'x-csrf-token': String((await state(path))['csrf']) }
      const answer = await browser.client.post(path, { json, headers })
      return answer.status === 422 ? answer.status : answer.json()
    }

    assert.equal((await state('/login'))['page'], 'sign-in')
    assert.equal(await send('/login', { email: 7, password: null }), 422)
    assert.deepEqual(await send('/login', { email: person.email, password: PASSWORD }), { location: DOOR })
    const { page, kind } = await state(DOOR)
    assert.deepEqual([page, kind, await browser.isSignedIn()], ['challenge', 'totp', false])
    assert.deepEqual(await send(DOOR, { code: await world.code(person) }), { location: '/account' })
    assert.equal(await browser.isSignedIn(), true)
    assert.deepEqual(await send('/logout', {}), { location: '/login' })
    assert.equal(await browser.isSignedIn(), false)
  })

  for (const [state, { own, form, enter }] of Object.entries(STATES))
    it(`is told by every route what is refused, and where a form leads: ${state} [RA-0007 RA-1401]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const routes = (await routesOf(world)).filter(({ path }) => own.test(path))
      assert.ok(routes.length > (state === 'nobody' ? 40 + 2 * PARTS.length : 3))

      for (const [index, { method, path }] of routes.entries())
        for (const code of ['no', '000000']) {
          const browser = await enter(world, `ada-${index}-${code}`)
          assert.equal((await browser.open(form)).status, 200)
          const page = await (method === 'POST'
            ? browser.submit(path, { ...UNFIT, code }, JSON_CLIENT)
            : browser.open(path, JSON_CLIENT))
          assertTold(page, `${method} ${path}`)
          // Where a browser is led to the login page.
          if (state === 'nobody' && /^\/(?:account|admin)(?:\/|$)/.test(path))
            assert.ok([401, 404].includes(page.status), `${method} ${path}: ${page.status}`)
          // What to prove, and where.
          if (state === 'signed in long ago' && path === '/account/password')
            assert.match(
              page.html,
              / at \/account\/confirm\?return_url=%2Faccount%2Fpassword first.*STEP_UP_REQUIRED/,
            )
        }
    })
})
