import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { generate } from 'otplib/functional'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { enroll } from './newcomer.ts'
import { addPasskey, PASSKEY_DOOR } from './passkey-steps.ts'
import { withSecretOf } from './security-steps.ts'

const DELAYS = [0, 2, 16]
const DOOR = '/login/2fa'
const ADD_COUNTER = '/account/security/add-counter'
const UNTRUE = /expired|cancelled|code is wrong|too many|is over|no sign-in is under way|not available/i
const UNTRUE_EVENTS = [
  'challenge-expired',
  'challenge-spent',
  'challenge-cancelled',
  'code-refused',
  'passkey-refused',
]

/** Somebody whose password was accepted. */
interface Scene {
  readonly world: World
  readonly ada: Person
  readonly browser: Browser
  readonly codes: readonly string[]
  readonly key: SoftwareAuthenticator
  readonly generator: Person
}

/** The page of a form, where it goes, and what it says; read once, as a double click sends it. */
interface Form {
  readonly page: string
  readonly path?: string
  readonly fields: (
    html: string,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
}

async function pending(test: TestContext): Promise<Scene> {
  const world = await World.create(test, { mailCodes: true })
  const first = world.browser()
  const { person: ada, codes } = await enroll(world, first, 'ada')
  world.clock.advance(30)
  const signed = world.browser()
  await signed.signIn(ada)
  const key = await addPasskey(signed, 'Blue key', new SoftwareAuthenticator())
  const generator = withSecretOf(ada, await signed.open(ADD_COUNTER))
  await signed.submit(ADD_COUNTER, { label: 'Token', code: await press(generator, 0) })
  world.clock.advance(30)
  const browser = world.browser()
  assert.equal((await browser.password(ada)).location, DOOR)
  return { world, ada, browser, codes, key, generator }
}

function press({ secret }: Person, counter: number): Promise<string> {
  assert.ok(secret !== undefined)
  return generate({ strategy: 'hotp', secret: secret.reveal(), counter })
}

async function idOf({ world, ada }: Scene, kind: string): Promise<string> {
  const usable = await world.identity.secondFactors.usable(ada.id)
  return usable.find((factor) => factor.kind === kind)?.id ?? ''
}

async function codeOfApp(scene: Scene): Promise<Form> {
  const factor = await idOf(scene, 'totp')
  const code = await scene.world.code(scene.ada)
  return { page: DOOR, fields: () => ({ code, factor }) }
}

async function choiceOf(scene: Scene): Promise<Form> {
  const factor = await idOf(scene, 'passkey')
  return { page: DOOR, path: `${DOOR}/choose`, fields: () => ({ factor }) }
}

function cancel(): Form {
  return { page: DOOR, path: `${DOOR}/cancel`, fields: () => ({}) }
}

const FORMS: Readonly<Record<string, (scene: Scene) => Promise<Form> | Form>> = {
  'a code': codeOfApp,
  'a code of a generator': async (scene) => {
    const [factor, code] = [await idOf(scene, 'hotp'), await press(scene.generator, 1)]
    return { page: DOOR, fields: () => ({ code, factor }) }
  },
  'a recovery code': ({ codes: [code = ''] }) => ({ page: `${DOOR}/recovery`, fields: () => ({ code }) }),
  'a passkey': ({ key }) => ({
    page: PASSKEY_DOOR,
    fields: (html) => ({ response: key.respond(html) }),
  }),
  'a code by mail': async ({ world, browser }) => {
    await browser.open('/mail-code')
    await browser.submit('/mail-code/send')
    const mail = world.mailbox.list().find(({ subject }) => subject === 'Your code for signing in')
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1] ?? ''
    return { page: '/mail-code', fields: () => ({ code }) }
  },
}

/** What came back for a form, and the page that it led to in a browser that has seen nothing else. */
interface Came {
  readonly browser: Browser
  readonly page: Page
  readonly seen: string
}

/** Sends two forms of one page, each from a browser that misses the response to the other one. */
async function postBoth(
  browser: Browser,
  [one, other]: readonly [Form, Form],
  delay: number,
): Promise<readonly [Came, Came]> {
  const { html } = await browser.open(DOOR)
  const post = async (sender: Browser, form: Form, shown: string): Promise<Page> => {
    const own = { _csrf: hidden(shown, '_csrf'), sign_in: hidden(shown, 'sign_in') }
    return sender.submit(form.path ?? form.page, { ...(await form.fields(shown)), ...own })
  }
  // A page that is asked for twice may ask for another response of a passkey.
  const shown = one.page === DOOR ? html : (await browser.open(one.page)).html
  const fields = await one.fields(shown)
  const twins = [browser.twin(), browser.twin()] as const
  const first = post(twins[0], { ...one, fields: () => fields }, shown)
  await pause(delay)
  const again = one === other ? { ...one, fields: () => fields } : other
  const pages = await Promise.all([first, post(twins[1], again, shown)])
  return [await cameTo(twins[0], pages[0]), await cameTo(twins[1], pages[1])]
}

async function cameTo(browser: Browser, page: Page): Promise<Came> {
  const next = page.location === null ? page : await browser.open(page.location, { follow: true })
  return { browser, page, seen: textOf(next.html) }
}

// What a page says. The list of events on the account page is none of that, nor is what a script may say later.
function textOf(html: string): string {
  return html.replace(/<section[^]*/, '').replace(/<[^>]*>/g, ' ')
}

function hidden(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
}

async function eventsOf({ world, ada }: Scene): Promise<readonly string[]> {
  const rows = await world.database
    .selectFrom('event')
    .select('kind')
    .where('account_id', '=', ada.id)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}

/** Somebody is signed in, once, and nothing that is not so was said or recorded. */
async function assertSignedIn(scene: Scene, came: readonly [Came, Came], before: number): Promise<void> {
  const entered = came.filter(({ page }) => page.location === '/account')
  assert.equal(entered.length, 1, String(came.map(({ page }) => [page.status, page.location])))
  for (const { page, seen } of came)
    for (const text of [textOf(page.html), seen]) assert.doesNotMatch(text, UNTRUE)
  const kinds = (await eventsOf(scene)).slice(before)
  assert.equal(kinds.filter((kind) => kind === 'logged-in').length, 1)
  assert.deepEqual(
    kinds.filter((kind) => UNTRUE_EVENTS.includes(kind)),
    [],
  )
  assert.deepEqual(scene.world.faults, [])
}

describe('the right proof at the second door, sent twice at once', () => {
  for (const [name, fill] of Object.entries(FORMS))
    for (const delay of DELAYS)
      it(`${name}, ${delay} ms apart, signs in once, and nothing untrue is said or recorded [RA-0008]`, async (test) => {
        const scene = await pending(test)
        const form = await fill(scene)
        const before = (await eventsOf(scene)).length

        const came = await postBoth(scene.browser, [form, form], delay)

        await assertSignedIn(scene, came, before)
        const lost = came.find(({ page }) => page.location !== '/account')
        assert.match(lost?.seen ?? '', /Another request has already completed this sign-in/)
      })

  for (const delay of DELAYS)
    for (const isFirst of [true, false])
      it(`a code, ${isFirst ? 'and' : 'after'} the choice of another factor ${delay} ms ${isFirst ? 'later' : 'before'}, signs in, and nothing untrue is said [RA-0008]`, async (test) => {
        const scene = await pending(test)
        const [code, choice] = [await codeOfApp(scene), await choiceOf(scene)]
        const before = (await eventsOf(scene)).length

        const came = await postBoth(scene.browser, isFirst ? [code, choice] : [choice, code], delay)

        // What the choice led to is seen in the browser that has signed in: its session has no other page.
        const [entered, chosen] = isFirst ? came : [came[1], came[0]]
        const { seen } = await cameTo(entered.browser, chosen.page)
        await assertSignedIn(scene, [entered, { ...chosen, seen }], before)
      })

  for (const delay of DELAYS)
    for (const isFirst of [true, false])
      it(`a code, ${isFirst ? 'and' : 'after'} the end of the sign-in ${delay} ms ${isFirst ? 'later' : 'before'}, either signs in or does not, and both are told which [RA-0008]`, async (test) => {
        const scene = await pending(test)
        const code = await codeOfApp(scene)
        const before = (await eventsOf(scene)).length

        const came = await postBoth(scene.browser, isFirst ? [code, cancel()] : [cancel(), code], delay)

        const [entered, left] = isFirst ? came : [came[1], came[0]]
        const kinds = (await eventsOf(scene)).slice(before)
        if (entered.page.location === '/account') {
          await assertSignedIn(scene, came, before)
          assert.match(entered.seen, /Hello, ada/)
          return
        }
        assert.deepEqual(kinds, ['challenge-cancelled'])
        assert.match(left.seen, /Sign-in cancelled/)
        for (const { seen } of came) assert.doesNotMatch(seen, /completed|Hello, ada|code is wrong|expired/)
        assert.deepEqual(scene.world.faults, [])
        // The code stays valid.
        await scene.browser.password(scene.ada)
        await scene.browser.open(DOOR)
        const { location } = await scene.browser.submit(DOOR, await code.fields(''))
        assert.equal(location, '/account')
      })

  for (const name of Object.keys(FORMS).filter((each) => each !== 'a code'))
    for (const delay of DELAYS)
      for (const isFirst of [true, false])
        it(`${name}, ${isFirst ? 'and' : 'after'} the end of the sign-in ${delay} ms ${isFirst ? 'later' : 'before'}, is used up only by signing in [RA-0008 A-121]`, async (test) => {
          const scene = await pending(test)
          const { world, ada, browser } = scene
          const form = await FORMS[name]?.(scene)
          assert.ok(form !== undefined)
          const left = await world.identity.codes.left(ada.id)
          const stop = { ...cancel(), page: form.page }

          const came = await postBoth(browser, isFirst ? [form, stop] : [stop, form], delay)

          const isIn = came.some(({ page }) => page.location === '/account')
          const isUsed = name === 'a recovery code' && isIn
          assert.equal(await world.identity.codes.left(ada.id), isUsed ? left - 1 : left)
          assert.equal((await eventsOf(scene)).includes('challenge-cancelled'), !isIn)
          assert.deepEqual(world.faults, [])
        })
})

describe('the second door without a sign-in', () => {
  it('says what has changed when the credentials have [RA-3002]', async (test) => {
    const { browser, world, ada } = await pending(test)
    await browser.open(DOOR)
    await world.identity.users.endSessions(ada.id)

    const { location } = await browser.submit(DOOR, { code: await world.code(ada) })

    assert.equal(location, '/login')
    assert.match((await browser.open('/login')).html, /sign-in data of this account has changed meanwhile/)
    const kinds = await world.events(ada)
    assert.deepEqual(kinds.slice(-1), ['challenge-outdated'])
    assert.equal(kinds.includes('challenge-expired'), false)
    await browser.password(ada)
    await browser.code(await world.code(ada))
    const { html } = await browser.open('/account/activity')
    assert.match(html, /Sign-in ended, because the sign-in data had changed/)
  })
})
