import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AccountSession, AccountSessions } from 'sallyport/auth'
import { SessionPolicy } from 'sallyport/session'
import { type Browser, type Page, type Person, World } from '../../../test/support.ts'
import { atDoor, DOOR, itemsOf } from '../../../test/flow/steps.ts'

const PATH = '/account/sessions'
const ALL = '/account/sessions/all'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1'

function sessionsOf(world: World, person: Person): Promise<readonly AccountSession[]> {
  return new AccountSessions(world.store, new SessionPolicy(), world.clock).list(person.id)
}

function handles(page: Page): readonly string[] {
  return [...page.html.matchAll(/name="handle" value="([^"]+)"/g)].map(([, handle = '']) => handle)
}

const lines = (page: Page): readonly string[] => itemsOf(page, 'list')

async function signedIn(world: World, person: Person): Promise<Browser> {
  const browser = world.browser()
  world.clock.advance(30)
  assert.equal((await browser.signIn(person)).location, '/account')
  return browser
}

describe('the list of sessions', () => {
  it('names device, place, times, factors proven, and the own one first [RA-1901 RA-0002 RA-3102]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const laptop = world.browser({ userAgent: FIREFOX, clientAddress: '203.0.113.7' })
    await laptop.signIn(ada)
    world.clock.advance(3600 / 4)
    const phone = world.browser({ userAgent: IPHONE, clientAddress: '2001:db8:1:2::3' })
    await phone.signIn(ada)
    await world.browser({ userAgent: FIREFOX }).password(ada)

    const shown = lines(await laptop.open(PATH))

    assert.equal(shown.length, 2)
    const [own = '', other = ''] = shown
    assert.match(
      own,
      /^Firefox on Linux This browser network 203\.0\.113\.0\/24 · Active now signed in 1 Jan/,
    )
    assert.match(own, /with password \+ authenticator app$/)
    assert.match(other, /^Safari on iPhone network 2001:db8:1::\/48 · last used 1 Jan 2026, 00:15 UTC/)
  })

  it('has the newest session first after the own one, whichever was used since [RA-1901]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const own = await signedIn(world, ada)
    const others = [await signedIn(world, ada), await signedIn(world, ada), await signedIn(world, ada)]
    for (const browser of [...others.toReversed(), own]) {
      world.clock.advance(120)
      await browser.open('/account')
    }

    const { html } = await own.open(PATH)

    const began = [...html.matchAll(/signed in\s*<time datetime="[^"]+:(\d\d:\d\d)Z"/g)].map(
      ([, time]) => time,
    )
    assert.deepEqual(began, ['00:30', '02:00', '01:30', '01:00'])
  })
})

describe('the end of one session', () => {
  it('ends that one at once and no other, and takes no handle of another account, no unknown one, and none twice [RA-1901]', async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    const mine = await signedIn(world, ada)
    const [lost, other, his] = [
      await signedIn(world, ada),
      await signedIn(world, ada),
      await signedIn(world, bob),
    ]
    const theirs = await signedIn(world, bob)
    // The newest is the first after the own one.
    const [, handle = ''] = handles(await mine.open(PATH))
    const [foreign = ''] = handles(await theirs.open(PATH))
    const isOpen = (): Promise<readonly boolean[]> =>
      Promise.all([mine, lost, other, his].map((browser) => browser.isSignedIn()))
    const end = (value: string): Promise<Page> => mine.submit(`${PATH}/end`, { handle: value })

    for (const value of [foreign, 'x', '', '../..', handle.toUpperCase()])
      assert.equal((await end(value)).location, PATH)
    assert.deepEqual(await isOpen(), [true, true, true, true])
    for (const { location } of await Promise.all([end(handle), end(handle)])) assert.equal(location, PATH)

    assert.deepEqual(await isOpen(), [true, false, true, true])
    assert.equal((await world.events(ada)).filter((kind) => kind === 'session-ended').length, 1)
    assert.equal(world.mailbox.list()[0]?.subject, 'Sessions of your account were signed out')
    assert.deepEqual(world.faults, [])
  })

  it('may be that of the request itself, which is signed out then [RA-1901]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const mine = await signedIn(world, ada)
    await mine.open(PATH)
    const [own] = await sessionsOf(world, ada)

    await mine.submit(`${PATH}/end`, { handle: own?.handle ?? '' })

    assert.equal(await mine.isSignedIn(), false)
  })
})

describe('the end of all other sessions', () => {
  it('keeps the own one, also when it is asked for twice at once [RA-1901]', async (test) => {
    const world = await World.create(test)
    const [ada, bob] = [await world.person('ada'), await world.person('bob')]
    const mine = await signedIn(world, ada)
    const others = [await signedIn(world, ada), await signedIn(world, ada)]
    const his = await signedIn(world, bob)
    await mine.open(PATH)

    const pages = await Promise.all([mine.submit(`${PATH}/others`), mine.submit(`${PATH}/others`)])

    for (const { location } of pages) assert.equal(location, PATH)
    const left = await Promise.all([...others, mine, his].map((browser) => browser.isSignedIn()))
    assert.deepEqual(left, [false, false, true, true])
    assert.ok((await world.events(ada)).includes('other-sessions-ended'))
  })
})

describe('the end of all sessions', () => {
  it('signs out everywhere at once, and ends a login that is under way [RA-1901 RA-3001 RA-3002]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const other = await signedIn(world, ada)
    const mine = await signedIn(world, ada)
    const pending = await atDoor(world, ada)
    await mine.open(ALL)

    const page = await mine.submit(ALL)

    assert.deepEqual([page.status, page.location], [303, '/login'])
    world.clock.advance(30)
    assert.equal((await pending.submit(DOOR, { code: await world.code(ada) })).location, '/login')
    for (const browser of [mine, other, pending]) assert.equal(await browser.isSignedIn(), false)
    assert.deepEqual(await sessionsOf(world, ada), [])
    assert.equal((await world.events(ada)).filter((kind) => kind === 'sessions-ended').length, 1)
    assert.equal(world.mailbox.list()[0]?.subject, 'Sessions of your account were signed out')
    assert.equal((await mine.signIn(ada)).location, '/account')
  })
})
