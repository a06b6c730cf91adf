import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { missing } from '../facts-of-parts.ts'
import { type Browser, type Person, World } from '../support.ts'
import { confirm } from './step-up-steps.ts'

const SESSIONS = '/account/sessions'
const skip = missing('sessions')

/** A request whose session has been read, and that does not go on. */
interface Held {
  /** Settles when the session has been read. */
  readonly reached: Promise<void>
  /** Lets the request go on. */
  release(): void
}

/** Holds the next request behind the read of its session. */
function holdNextRead(test: TestContext, world: World): Held {
  const read = world.store.read.bind(world.store)
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let isNext = true
  test.mock.method(world.store, 'read', async (id: string) => {
    const record = await read(id)
    if (!isNext) return record
    isNext = false
    reached.resolve()
    await opened.promise
    return record
  })
  return { reached: reached.promise, release: () => opened.resolve() }
}

/** Starts a request, does something else while it is held, and lets it go on. */
async function during(
  { world, test }: { readonly world: World; readonly test: TestContext },
  slow: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const held = holdNextRead(test, world)
  const request = slow()
  await held.reached
  await meanwhile()
  held.release()
  await request
  assert.deepEqual(world.faults, [])
}

/** A browser that still has the cookie of this moment. */
function frozen(browser: Browser): Browser {
  return browser.twin()
}

async function begun(test: TestContext): Promise<{ readonly world: World; readonly ada: Person }> {
  const world = await World.create(test)
  return { world, ada: await world.person('ada', { factor: 'enabled' }) }
}

describe('a slow request', () => {
  it('across the challenge loses no rotation: the login stays, and the old identifier is nobody [RA-2704]', async (test) => {
    const { world, ada } = await begun(test)
    const browser = world.browser()
    await browser.password(ada)
    await browser.open('/login/2fa')
    const before = frozen(browser)
    const [code, wrong] = [await world.code(ada), await world.wrongCode(ada)]

    await during(
      { world, test },
      () => browser.submit('/login/2fa', { code: wrong }),
      () => browser.submit('/login/2fa', { code }),
    )

    assert.deepEqual([await browser.isSignedIn(), await before.isSignedIn()], [true, false])
  })

  it(
    'across logout revives nobody, neither by the old cookie nor by the one that it sets [RA-2704]',
    { skip },
    async (test) => {
      const { world, ada } = await begun(test)
      const browser = world.browser()
      await browser.signIn(ada)
      await browser.open(SESSIONS)
      const before = frozen(browser)

      await during(
        { world, test },
        () => browser.submit(`${SESSIONS}/end`, { handle: 'none' }),
        () => browser.submit('/logout'),
      )

      assert.deepEqual([await browser.isSignedIn(), await before.isSignedIn()], [false, false])
    },
  )

  it(
    'whose session is ended meanwhile revives nobody, whether it writes or rotates [RA-2704 RA-1901]',
    { skip },
    async (test) => {
      const { world, ada } = await begun(test)
      const mine = world.browser()
      await mine.signIn(ada)
      for (const path of [`${SESSIONS}/end`, '/account/confirm']) {
        world.clock.advance(600)
        const lost = world.browser()
        await lost.signIn(ada)
        world.clock.advance(570)
        await confirm(world, mine, { person: ada, path: `${SESSIONS}/all` })
        world.clock.advance(30)
        await lost.open('/account/confirm?return_url=%2Faccount%2Fsessions%2Fall')
        const before = frozen(lost)
        const fields = { handle: 'none', password: 'a gate of two doors', code: await world.code(ada) }
        await mine.open(SESSIONS)

        await during(
          { world, test },
          () => lost.submit(path, fields),
          () => mine.submit(`${SESSIONS}/others`),
        )
        test.mock.restoreAll()

        const open = [await lost.isSignedIn(), await before.isSignedIn(), await mine.isSignedIn()]
        assert.deepEqual(open, [false, false, true], path)
      }
    },
  )
})
