import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { missing } from '../facts-of-parts.ts'
import { AccountSessions } from 'sallyport/auth'
import { SessionPolicy } from 'sallyport/session'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { SECURITY } from './door-steps.ts'

const PROGRAM = { headers: { accept: 'application/json' } }
// What a page says that does not know whether there ever was such a thing.
const OPEN =
  /Your account has no such [a-z ]+\. It may have been removed\.|what you chose is not there, or not any more|The address may be mistyped, or the page is gone/

/** A request about one of the things that an account has. */
interface Request {
  readonly path: string
  /** The form. Default: the request opens a page. */
  readonly fields?: Readonly<Record<string, string>>
}

/** What an account has, and the requests about one of it. */
interface Kind {
  /** Identifier of the one that Eve has. */
  readonly idOf: (world: World, eve: Person) => Promise<string | undefined>
  readonly requests: (id: string) => readonly Request[]
}

function pageAndForm(path: string, fields: Request['fields'] = {}): readonly Request[] {
  return [{ path }, { path, fields }]
}

const KINDS: Readonly<Record<string, Kind>> = {
  'an authenticator': {
    idOf: async ({ identity }, { id }) => (await identity.factors.list(id))[0]?.id,
    requests: (id) => [
      ...pageAndForm(`${SECURITY}/factors/${id}/rename`, { label: 'Mine' }),
      ...pageAndForm(`${SECURITY}/factors/${id}/replace`, { label: 'Mine', code: '123456' }),
      ...pageAndForm(`${SECURITY}/factors/${id}/remove`),
    ],
  },
  ...(missing('sessions')
    ? {}
    : {
        'a session': {
          idOf: async ({ store, clock }, { id }) =>
            (await new AccountSessions(store, new SessionPolicy(), clock).list(id))[0]?.handle,
          requests: (handle) => [{ path: '/account/sessions/end', fields: { handle } }],
        },
      }),
}

/** Ada, who has one of everything, and Eve with one of everything of her own. */
async function begin(test: TestContext): Promise<{ world: World; eve: Person; browser: Browser }> {
  const world = await World.create(test)
  const [eve, ada] = [await equip(world, 'eve'), await equip(world, 'ada')]
  return { world, eve: eve.person, browser: ada.browser }
}

async function equip(world: World, name: string): Promise<{ person: Person; browser: Browser }> {
  const person = await world.person(name, { factor: 'enabled' })
  const browser = world.browser()
  await browser.signIn(person)
  return { person, browser }
}

async function send(browser: Browser, { path, fields }: Request, headers = {}): Promise<Page> {
  if (fields === undefined) return browser.open(path, { headers })
  await browser.open('/account')
  return browser.submit(path, fields, { headers })
}

for (const [name, { idOf, requests }] of Object.entries(KINDS))
  describe(`the identifier of ${name} that this account does not have`, () => {
    it('is not said to have been one of it [RA-2801]', async (test) => {
      const { world, eve, browser } = await begin(test)
      const foreign = (await idOf(world, eve)) ?? ''

      for (const id of [foreign, randomUUID(), 'nothing'])
        for (const request of requests(id)) {
          const page = await send(browser, request)
          const told = page.location === null ? page : await browser.open(page.location)

          assert.ok([303, 404].includes(page.status), `${request.path}: ${page.status}`)
          assert.match(told.html, OPEN, request.path)
        }
      assert.notEqual(foreign, '')
      assert.equal(await idOf(world, eve), foreign)
      assert.deepEqual(world.faults, [])
    })

    it('is a 404 for a program [RA-0007]', async (test) => {
      const { world, eve, browser } = await begin(test)

      for (const id of [(await idOf(world, eve)) ?? '', randomUUID()])
        for (const request of requests(id)) {
          const { status, html } = await send(browser, request, PROGRAM.headers)

          assert.deepEqual([status, /ERR_HTTP_NOT_FOUND/.test(html)], [404, true], request.path)
        }
    })
  })
