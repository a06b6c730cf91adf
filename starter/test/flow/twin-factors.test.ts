import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { generate } from 'otplib/functional'
import type { Page } from '../support.ts'
import { codesOf } from './newcomer.ts'
import { addFactor, ADD, type Owner, pathOf, SECURITY, signedIn, withSecretOf } from './security-steps.ts'
import { sendAroundStepUp } from './twin-steps.ts'

const DELAYS = [0, 1, 2, 4, 8, 16, 32, 64, Infinity]
const UNTRUE = /took too long|code is wrong|Confirm that it is you/i
const PROGRAM = { headers: { accept: 'application/json' } }

/** A form that is filled in. */
interface Filled {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

/** A form about a factor, sent twice. */
interface Twin {
  readonly fill: (owner: Owner) => Promise<Filled>
  /** What the first is told. */
  readonly done: RegExp
  /** What the second is told. */
  readonly told: RegExp
  /** Code for a program that comes second. */
  readonly code: RegExp
  /** How many factors the account has in the end. */
  readonly left: number
}

const COUNTER = '/account/security/add-counter'

const TWINS: Readonly<Record<string, Twin>> = {
  'an additional authenticator': {
    fill: async ({ world, browser, person }) => {
      const added = withSecretOf(person, await browser.open(ADD))
      return { path: ADD, fields: { label: 'Tablet', code: await world.code(added) } }
    },
    done: /The authenticator app was added/,
    told: /This authenticator app was already added/,
    code: /ERR_STARTER_ALREADY_ADDED/,
    left: 2,
  },
  'an authenticator in the place of another': {
    fill: async (owner) => {
      const { world, browser, person } = owner
      const path = await pathOf(owner, 'replace')
      const added = withSecretOf(person, await browser.open(path))
      return { path, fields: { label: 'Tablet', code: await world.code(added) } }
    },
    done: /The second step was replaced/,
    told: /This second step was already replaced/,
    code: /ERR_STARTER_ALREADY_ADDED/,
    left: 1,
  },
  'the removal of one of two authenticators': {
    fill: async (owner) => {
      await addFactor(owner, 'Tablet')
      return { path: await pathOf(owner, 'remove') }
    },
    done: /The second step was removed/,
    told: /Your account has no such second step\. It may have been removed already/,
    code: /ERR_HTTP_NOT_FOUND/,
    left: 1,
  },
  'the removal of the last authenticator': {
    fill: async (owner) => ({ path: await pathOf(owner, 'remove') }),
    done: /Your last second step was removed/,
    told: /Your account has no such second step\. It may have been removed already/,
    code: /ERR_HTTP_NOT_FOUND/,
    left: 0,
  },
}

/** The page that an answer leads to; otherwise its own. */
async function shownBy({ browser }: Owner, page: Page): Promise<string> {
  return page.location === null ? page.html : (await browser.open(page.location, { follow: true })).html
}

async function begin(owner: Owner, { path }: Filled): Promise<string> {
  const { html } = await owner.browser.open(path)
  return /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

async function countOf({ world, person }: Owner): Promise<number> {
  const factors = await world.identity.factors.list(person.id)
  return factors.length
}

for (const [name, { fill, done, told, code, left }] of Object.entries(TWINS))
  describe(`${name}, sent twice`, () => {
    for (const delay of DELAYS)
      it(`tells nothing untrue, ${delay === Infinity ? 'one after the other' : `${delay} ms apart`} [RA-2801]`, async (test) => {
        const owner = await signedIn(test)
        const { world, browser } = owner
        const filled = await fill(owner)
        const _csrf = await begin(owner, filled)
        const send = async (): Promise<string> =>
          shownBy(owner, await browser.submit(filled.path, { ...filled.fields, _csrf }))

        const first = send()
        await (delay === Infinity ? first : pause(delay))
        const pages = await Promise.all([first, send()])

        for (const html of pages) assert.doesNotMatch(html, UNTRUE)
        if (delay === Infinity) {
          assert.match(pages[0], done)
          assert.match(pages[1], told)
        }
        assert.equal(await countOf(owner), left)
        assert.equal(await browser.isSignedIn(), true)
        assert.deepEqual(world.faults, [])
      })

    it('a program that comes second is told why [RA-0007]', async (test) => {
      const owner = await signedIn(test)
      const { browser } = owner
      const filled = await fill(owner)
      const _csrf = await begin(owner, filled)
      await browser.submit(filled.path, { ...filled.fields, _csrf })

      const page = await browser.submit(filled.path, { ...filled.fields, _csrf }, PROGRAM)

      assert.ok(page.status >= 400)
      assert.match(page.html, code)
    })
  })

describe('the first authenticator of an account, whose form comes again while it is being added', () => {
  for (const path of [ADD, COUNTER])
    it(`is not asked for as a confirmation (${path}) [RA-0007 RA-2801]`, async (test) => {
      for (const accept of ['text/html', 'application/json']) {
        const owner = await signedIn(test, {})
        const { world, browser, person } = owner
        const added = withSecretOf(person, await browser.open(path))
        const secret = added.secret?.reveal() ?? ''
        const code =
          path === ADD ? await world.code(added) : await generate({ secret, strategy: 'hotp', counter: 0 })
        const fields = { label: 'Tablet', code, _csrf: await begin(owner, { path }) }

        const [first, page] = await sendAroundStepUp(test, browser, { path, fields, accept })

        assert.equal(first.status, 200)
        if (accept === 'text/html') assert.equal(page.location, SECURITY)
        else assert.deepEqual([page.status, /ERR_STARTER_ALREADY_ADDED/.test(page.html)], [409, true])
        assert.equal(await countOf(owner), 1)
        assert.deepEqual(world.faults, [])
      }
    })
})

describe('a second step that was added, and removed since', () => {
  it('is not said to be there when its form is sent again [RA-2801]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const added = withSecretOf(person, await browser.open(COUNTER))
    const secret = added.secret?.reveal() ?? ''
    const fields = { label: 'Token', code: await generate({ secret, strategy: 'hotp', counter: 0 }) }
    assert.equal((await browser.submit(COUNTER, fields)).location, SECURITY)
    const id = (await world.identity.factors.list(person.id)).at(-1)?.id ?? ''
    await world.database.deleteFrom('factor').where('id', '=', id).execute()

    const html = await shownBy(owner, await browser.submit(COUNTER, fields))

    assert.doesNotMatch(html, /already added/)
    assert.match(html, /Load the new key into the device/)
  })
})

describe('the first authenticator, and a change of the password in another tab at the same time', () => {
  for (const delay of [0, 1, 2, 4, 8, 16])
    it(`${delay} ms apart: no right code is called wrong, or counted as one [RA-2801 FACTOR-17]`, async (test) => {
      const owner = await signedIn(test, {})
      const { world, browser, person } = owner
      const added = withSecretOf(person, await browser.open(ADD))
      const code = await world.code(added)

      const posted = browser.submit(ADD, { label: 'Phone', code })
      await pause(delay)
      const [page] = await Promise.all([
        posted,
        browser.submit('/account/password', { password: 'four ladders lean on the wall' }),
      ])

      const html = await shownBy(owner, page)
      assert.doesNotMatch(html, /code is wrong/i)
      assert.equal(codesOf(page).length, (await countOf(owner)) === 1 ? 10 : 0)
      const tries = await world.database.selectFrom('attempt').select('subject').execute()
      assert.deepEqual(
        tries.filter(({ subject }) => subject.startsWith('enrollment:')),
        [],
      )
      assert.equal(await browser.isSignedIn(), true)
      assert.deepEqual(world.faults, [])
    })
})
