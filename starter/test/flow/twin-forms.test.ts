import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD } from '../support.ts'
import { newestLink } from './newcomer.ts'
import { CONFIRM } from './step-up-steps.ts'
import { behindPassword, type Form, inside, outside, type Scene } from './twin-steps.ts'

const DELAYS = [0, 2, 5, 10, 20]
const NEW = 'a quiet orchard in the rain'

/** What is sent twice, and whether its browser is signed in afterwards, as it is when the form is sent once. */
interface Twin {
  readonly begin: (test: TestContext) => Promise<Scene>
  readonly form: (scene: Scene) => Promise<Form> | Form
  readonly isSignedIn: boolean
}

async function linkFrom({ world }: Scene, path: string, email: string): Promise<string> {
  const other = world.browser()
  await other.open(path)
  await other.submit(path, { email })
  return newestLink(world)
}

const TWINS: Readonly<Record<string, Twin>> = {
  'signing out': {
    begin: inside,
    form: () => ({ path: '/logout', page: '/account' }),
    isSignedIn: false,
  },
  'a confirmation': {
    begin: inside,
    form: async ({ world, ada, browser }) => {
      world.clock.advance(300)
      await browser.open('/account')
      const fields = { return_url: '/account/password', password: PASSWORD, code: await world.code(ada) }
      return { path: CONFIRM, page: `${CONFIRM}?return_url=%2Faccount%2Fpassword`, fields }
    },
    isSignedIn: true,
  },
  'a forgotten password': {
    begin: outside,
    form: ({ ada }) => ({ path: '/forgot', fields: { email: ada.email } }),
    isSignedIn: false,
  },
  'a new password by mail': {
    begin: outside,
    form: async (scene) => ({
      path: await linkFrom(scene, '/forgot', scene.ada.email),
      fields: { password: NEW },
    }),
    isSignedIn: false,
  },
  'a sign-up': {
    begin: outside,
    form: () => ({ path: '/sign-up', fields: { email: 'eve@example.test' } }),
    isSignedIn: false,
  },
  'a new account': {
    begin: outside,
    form: async (scene) => ({
      path: await linkFrom(scene, '/sign-up', 'eve@example.test'),
      fields: { name: 'Eve', password: PASSWORD },
    }),
    isSignedIn: false,
  },
  'a lost factor': { begin: behindPassword, form: () => ({ path: '/lost' }), isSignedIn: false },
  'a code by mail': {
    begin: behindPassword,
    form: () => ({ path: '/mail-code/send', page: '/mail-code' }),
    isSignedIn: false,
  },
  'a new name': {
    begin: inside,
    form: () => ({ path: '/account/profile', fields: { name: 'Ada B' } }),
    isSignedIn: true,
  },
  'a new address': {
    begin: inside,
    form: () => ({ path: '/account/address', fields: { email: 'ada@new.example.test' } }),
    isSignedIn: true,
  },
  'the end of the other sessions': {
    begin: inside,
    form: () => ({ path: '/account/sessions/others', page: '/account/sessions' }),
    isSignedIn: true,
  },
  'the end of all sessions': {
    begin: inside,
    form: () => ({ path: '/account/sessions/all', page: '/account/sessions' }),
    isSignedIn: false,
  },
  'a deletion': {
    begin: inside,
    form: ({ ada }) => ({ path: '/account/delete', fields: { email: ada.email } }),
    isSignedIn: false,
  },
}

for (const [name, { begin, form, isSignedIn }] of Object.entries(TWINS))
  describe(`${name}, sent twice at once`, () => {
    for (const delay of DELAYS)
      it(`leaves the browser as once does, ${delay} ms apart [RA-2801]`, async (test) => {
        const scene = await begin(test)
        const { world, browser } = scene
        const { path, page = path, fields } = await form(scene)
        const { status, html } = await browser.open(page)
        assert.equal(status, 200)
        const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

        const first = browser.submit(path, { ...fields, _csrf: token })
        await pause(delay)
        const pages = await Promise.all([first, browser.submit(path, { ...fields, _csrf: token })])

        const statuses = pages.map((each) => each.status)
        assert.ok(statuses.includes(303), String(statuses))
        assert.ok(
          statuses.every((each) => [303, 403, 410, 422].includes(each)),
          String(statuses),
        )
        assert.equal(await browser.isSignedIn(), isSignedIn)
        assert.deepEqual(world.faults, [])
      })
  })
