import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type Browser, PASSWORD, type Person, World } from '../support.ts'

interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
}

/** A step: what is done before its form is on the page, and the form. */
interface Step {
  readonly page: string
  readonly prepare?: (scene: Scene) => Promise<unknown>
  readonly fields?: (scene: Scene) => Promise<Readonly<Record<string, string>>>
}

const STEPS: Readonly<Record<string, Step>> = {
  '/login': {
    page: '/login',
    fields: ({ ada }) => Promise.resolve({ email: ada.email, password: PASSWORD }),
  },
  '/login/2fa': {
    page: '/login/2fa',
    prepare: ({ browser, ada }) => browser.password(ada),
    fields: async ({ world, ada }) => ({ code: await world.code(ada) }),
  },
  '/login/2fa/cancel': {
    page: '/login/2fa',
    prepare: ({ browser, ada }) => browser.password(ada),
  },
  '/logout': {
    page: '/account',
    prepare: ({ browser, ada }) => browser.signIn(ada),
  },
}

async function ready(test: TestContext, { page, prepare }: Step): Promise<Scene> {
  const world = await World.create(test)
  const ada = await world.person('ada', { factor: 'enabled' })
  const scene = { world, ada, browser: world.browser() }
  await prepare?.(scene)
  await scene.browser.open(page)
  return scene
}

for (const [path, step] of Object.entries(STEPS))
  describe(`a form for ${path}`, () => {
    it('that is sent twice at once takes effect at most once, and no response is a dead end [CSRF-03 FLOW-09]', async (test) => {
      const scene = await ready(test, step)
      const second = scene.browser.twin()
      const form = (await step.fields?.(scene)) ?? {}

      const answers = await Promise.all([scene.browser.submit(path, form), second.submit(path, form)])

      assert.ok(answers.some(({ status }) => status === 303))
      for (const answer of answers)
        if (answer.status !== 303) assert.match(answer.html, /href="\/login"|action="\/login"|name="code"/)
      const states = [await scene.browser.isSignedIn(), await second.isSignedIn()]
      assert.equal(states.filter(Boolean).length, path === '/login/2fa' ? 1 : 0)
    })

    it('whose response is lost leads back to a login page that works at once [CSRF-03]', async (test) => {
      const scene = await ready(test, step)
      const left = scene.browser.twin()
      const form = (await step.fields?.(scene)) ?? {}
      await scene.browser.submit(path, form)

      const late = await left.submit(path, form)
      assert.equal((await left.open('/login')).status, 200)
      const answer = await left.submit('/login', { email: scene.ada.email, password: PASSWORD })

      assert.equal(late.headers.get('set-cookie'), null, 'it must not replace the cookie of the first answer')
      assert.deepEqual([answer.status, answer.location], [303, '/login/2fa'])
      assert.equal((await left.open('/login/2fa')).status, 200)
    })
  })
