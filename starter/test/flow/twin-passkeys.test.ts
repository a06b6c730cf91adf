import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FactorRule } from '../../identity/policy/factor-rules.ts'
import { SoftwareAuthenticator } from '../software-authenticator.ts'
import { type Browser, type Page, type Person, START, World } from '../support.ts'
import { addPasskey, NEW_PASSKEY } from './passkey-steps.ts'
import { SECURITY, signedIn } from './security-steps.ts'
import { sendAroundStepUp } from './twin-steps.ts'

const DELAYS = [0, 1, 2, 4, 8, 16, 32, 64, Infinity]
const UNTRUE = /took too long|could not be added|Confirm that it is you|not found|meanwhile/i
const PROGRAM = { headers: { accept: 'application/json' } }
const GRACE = 24 * 60 * 60
const RULE: FactorRule = {
  holders: 'admin.access',
  from: Date.parse(START) / 1000,
  graceSeconds: GRACE,
  kinds: ['passkey'],
}

/** Somebody in front of a form about a passkey. */
interface Scene {
  readonly world: World
  readonly person: Person
  readonly browser: Browser
  /** Where the form goes. */
  readonly path: string
  /** What it is filled in with, as its page was shown. */
  readonly fields: Readonly<Record<string, string>>
}

/** A form about a passkey, sent twice. */
interface Twin {
  readonly begin: (test: TestContext) => Promise<Scene>
  /** What the first is told. */
  readonly done: RegExp
  /** What the second is told. */
  readonly told: RegExp
  /** Status and code for a program that comes second. */
  readonly refused: readonly [number, RegExp]
  /** How many passkeys the account has in the end. */
  readonly left: number
}

async function addition(test: TestContext, options?: Parameters<typeof signedIn>[1]): Promise<Scene> {
  const owner = await signedIn(test, options)
  const page = await owner.browser.open(NEW_PASSKEY)
  const response = new SoftwareAuthenticator().register(page.html)
  return { ...owner, path: NEW_PASSKEY, fields: filled(page, { label: 'Key', response }) }
}

async function removal(test: TestContext, options?: Parameters<typeof signedIn>[1]): Promise<Scene> {
  const owner = await signedIn(test, options)
  const { world, browser, person } = owner
  await addPasskey(browser, 'Key')
  const [passkey] = await world.identity.passkeys.list(person.id)
  const path = `/account/passkeys/${passkey?.id}/remove`
  return { ...owner, path, fields: filled(await browser.open(path)) }
}

/** An administrator with an app, who must add a passkey. */
async function enrollment(test: TestContext): Promise<Scene> {
  const world = await World.create(test, { factorRules: [RULE] })
  const person = await world.person('ada', { permissions: ['admin.access'], factor: 'enabled' })
  await world.browser().signIn(person)
  world.clock.advance(GRACE)
  const browser = world.browser()
  assert.equal((await browser.signIn(person)).location, '/enroll')
  const path = '/enroll/passkey'
  const page = await browser.open(path)
  const response = new SoftwareAuthenticator().register(page.html)
  return { world, person, browser, path, fields: filled(page, { label: 'Key', response }) }
}

function filled({ html }: Page, fields: Scene['fields'] = {}): Scene['fields'] {
  return { ...fields, _csrf: /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

const TWINS: Readonly<Record<string, Twin>> = {
  'an additional passkey': {
    begin: addition,
    done: /The passkey was added/,
    told: /This passkey was already added/,
    refused: [409, /ERR_STARTER_ALREADY_ADDED/],
    left: 1,
  },
  'the first second step of an account, a passkey': {
    begin: (test) => addition(test, {}),
    done: /class="codes/,
    told: /This passkey was already added/,
    refused: [409, /ERR_STARTER_ALREADY_ADDED/],
    left: 1,
  },
  'the removal of a passkey': {
    begin: removal,
    done: /The passkey was removed/,
    told: /Your account has no such passkey\. It may have been removed already/,
    refused: [404, /ERR_HTTP_NOT_FOUND/],
    left: 0,
  },
}

/** The page that an answer leads to; otherwise its own. */
async function shownBy({ browser }: Scene, page: Page): Promise<string> {
  return page.location === null ? page.html : (await browser.open(page.location, { follow: true })).html
}

/** Sends the form twice, and opens what it leads to. */
async function sendTwice(scene: Scene, delay: number): Promise<readonly [string, string]> {
  const { browser, path, fields } = scene
  const send = async (): Promise<string> => shownBy(scene, await browser.submit(path, fields))
  const first = send()
  await (delay === Infinity ? first : pause(delay))
  return Promise.all([first, send()])
}

function apart(delay: number): string {
  return delay === Infinity ? 'one after the other' : `${delay} ms apart`
}

async function countOf({ world, person }: Scene): Promise<number> {
  const passkeys = await world.identity.passkeys.list(person.id)
  return passkeys.length
}

for (const [name, { begin, done, told, refused, left }] of Object.entries(TWINS))
  describe(`${name}, sent twice`, () => {
    for (const delay of DELAYS)
      it(`tells nothing untrue, ${apart(delay)} [RA-2801]`, async (test) => {
        const scene = await begin(test)

        const pages = await sendTwice(scene, delay)

        for (const html of pages) assert.doesNotMatch(html, UNTRUE)
        if (delay === Infinity) {
          assert.match(pages[0], done)
          assert.match(pages[1], told)
        }
        assert.equal(await countOf(scene), left)
        assert.equal(await scene.browser.isSignedIn(), true)
        assert.deepEqual(scene.world.faults, [])
      })

    it('a program that comes second is told why [RA-0007]', async (test) => {
      const { browser, path, fields } = await begin(test)
      await browser.submit(path, fields)

      const page = await browser.submit(path, fields, PROGRAM)

      const [status, code] = refused
      assert.equal(page.status, status)
      assert.match(page.html, code)
    })
  })

describe('a passkey that a rule asks for, sent twice', () => {
  for (const delay of DELAYS)
    it(`tells nothing untrue, ${apart(delay)} [RA-1104 RA-2801]`, async (test) => {
      const scene = await enrollment(test)
      const { world, browser } = scene

      const pages = await sendTwice(scene, delay)

      for (const html of pages) {
        assert.doesNotMatch(html, UNTRUE)
        assert.match(html, /action="\/enroll\/done"|\/enroll\/codes/)
      }
      assert.equal(await countOf(scene), 1)
      assert.equal((await browser.submit('/enroll/done')).location, '/account')
      assert.equal(await browser.isSignedIn(), true)
      assert.deepEqual(world.faults, [])
    })
})

describe('the first second step of an account, a passkey, whose form comes again while it is being added', () => {
  it('is not asked for as a confirmation [RA-0007 RA-2801]', async (test) => {
    for (const accept of ['text/html', 'application/json']) {
      const { browser, path, fields, world } = await addition(test, {})

      const [first, page] = await sendAroundStepUp(test, browser, { path, fields, accept })

      assert.equal(first.status, 200)
      if (accept === 'text/html') assert.equal(page.location, SECURITY)
      else assert.deepEqual([page.status, /ERR_STARTER_ALREADY_ADDED/.test(page.html)], [409, true])
      assert.deepEqual(world.faults, [])
    }
  })
})

describe('two passkeys, added in two tabs that were opened before', () => {
  for (const delay of [0, 1, 4, 16, 64, Infinity])
    it(`${apart(delay)}: the second tab says that another change came first [RA-2801]`, async (test) => {
      const scene = await addition(test)
      const { world, browser, person, path } = scene
      const other = await browser.open(path)
      const response = new SoftwareAuthenticator().register(other.html)
      const second = filled(other, { label: 'Other', response })

      const first = browser.submit(path, scene.fields)
      await (delay === Infinity ? first : pause(delay))
      const pages = await Promise.all([first, browser.submit(path, second)])

      const [passkey, ...more] = await world.identity.passkeys.list(person.id)
      assert.deepEqual(more, [])
      const late = passkey?.label === 'Key' ? pages[1] : pages[0]
      // A form that arrives between the change and its new session is asked to confirm first.
      const isAsked = delay !== Infinity && late.location?.startsWith('/account/confirm') === true
      if (!isAsked) {
        assert.equal(late.status, 422)
        assert.match(late.html, /Nothing was added, because your sign-in data changed meanwhile/)
      }
      // A request whose session gets its new identifier meanwhile keeps no challenge.
      const page = delay === Infinity ? late : await browser.open(path)
      const again = filled(page, {
        label: 'Other',
        response: new SoftwareAuthenticator().register(page.html),
      })
      assert.match(await shownBy(scene, await browser.submit(path, again)), /The passkey was added/)
      assert.equal(await countOf(scene), 2)
      assert.deepEqual(world.faults, [])
    })
})

describe('two passkeys, removed in two tabs at the same time', () => {
  for (const delay of [0, 1, 2, 4, 8, 16, 32])
    it(`${apart(delay)}: what is still there is not said to be gone [RA-2801]`, async (test) => {
      const owner = await signedIn(test)
      const { world, browser, person } = owner
      await addPasskey(browser, 'One')
      await addPasskey(browser, 'Two')
      const paths = (await world.identity.passkeys.list(person.id)).map(
        ({ id }) => `/account/passkeys/${id}/remove`,
      )
      const [one = '', two = ''] = paths
      const scene: Scene = { ...owner, path: one, fields: filled(await browser.open(one)) }

      const first = browser.submit(one, scene.fields)
      await pause(delay)
      const pages = await Promise.all([first, browser.submit(two, scene.fields)])

      for (const { status } of pages) assert.equal(status, 303)
      const html = [await shownBy(scene, pages[0]), await shownBy(scene, pages[1])].join('')
      // A form that arrives between the change and its new session is asked to confirm; the message of the other one is then on no page.
      assert.match(html, /The passkey was removed|Confirm that it is you/)
      assert.doesNotMatch(html, /no such passkey/)
      assert.equal(await countOf(scene), 1)
      assert.deepEqual(world.faults, [])
    })
})

describe('the removal of a passkey that comes after another change of the credentials', () => {
  it('says so, and does not call the passkey unknown [RA-2801]', async (test) => {
    const scene = await removal(test)
    const { world, browser, path, fields } = scene
    // The other change is made between the look at the session and the removal.
    test.mock.method(world.identity.passkeys, 'remove', () => Promise.resolve(undefined))

    const page = await browser.submit(path, fields)
    const refused = await browser.submit(path, fields, PROGRAM)

    assert.equal(page.location, SECURITY)
    assert.match(await shownBy(scene, page), /Your sign-in data has just changed/)
    assert.deepEqual([refused.status, /ERR_STARTER_CREDENTIALS_CHANGED/.test(refused.html)], [409, true])
    assert.equal(await countOf(scene), 1)
  })
})

describe('a passkey that was added, and removed since', () => {
  it('is not said to be there when its form is sent again [RA-2801]', async (test) => {
    const scene = await addition(test)
    const { world, browser, person, path, fields } = scene
    assert.equal((await browser.submit(path, fields)).location, SECURITY)
    await world.database.deleteFrom('passkey').where('account_id', '=', person.id).execute()

    const html = await shownBy(scene, await browser.submit(path, fields))

    assert.doesNotMatch(html, /already added/)
    assert.equal(await countOf(scene), 0)
  })
})
