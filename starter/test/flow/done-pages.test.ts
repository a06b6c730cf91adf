import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TestClient } from 'sallyport/testing'
import { createApplication } from '../../application.ts'
import { DONE_SECONDS } from '../../identity/sessions/done-note.ts'
import { type Browser, KEY, type Page, type Person, World } from '../support.ts'
import { confirm } from './step-up-steps.ts'

interface Scene {
  readonly world: World
  readonly ada: Person
  /** Signed in, with everything proven. */
  readonly inside: Browser
  /** Of nobody. */
  readonly outside: Browser
}

async function begin(world: World): Promise<Scene> {
  const ada = await world.person('ada', { factor: 'enabled' })
  const inside = world.browser()
  await inside.signIn(ada)
  return { world, ada, inside, outside: world.browser() }
}

// Who must sign in first is led there by the guard, with a 302.
function isLedOn({ status }: Page): boolean {
  return status === 302 || status === 303
}

/** Opens the newest link of a mail that begins so, and presses its button. */
async function follow({ world, outside }: Scene, start: string): Promise<Page> {
  const pattern = new RegExp(`https://app\\.test(${start}/[\\w-]+)`)
  const path =
    world.mailbox
      .list()
      .map(({ text }) => pattern.exec(text)?.[1])
      .find(Boolean) ?? ''
  await outside.open(path)
  return outside.submit(path)
}

async function move(scene: Scene): Promise<Page> {
  const { world, ada, inside } = scene
  world.clock.advance(30)
  await confirm(world, inside, { person: ada, path: '/account/address' })
  return inside.submit('/account/address', { email: 'new@example.test' })
}

async function erase({ world, ada, inside }: Scene): Promise<Page> {
  world.clock.advance(30)
  await confirm(world, inside, { person: ada, path: '/account/delete' })
  return inside.submit('/account/delete', { email: ada.email })
}

interface Done {
  /** Where it begins. */
  readonly begin: RegExp
  /** Who does it, signed in or not. */
  readonly by: 'inside' | 'outside'
  readonly happen: (scene: Scene) => Promise<Page>
}

/** The pages that say that something was done. */
const DONE: Readonly<Record<string, Done>> = {
  '/sign-up/sent': {
    begin: /^\/sign-up$/,
    by: 'outside',
    happen: async ({ outside }) => {
      await outside.open('/sign-up')
      return outside.submit('/sign-up', { email: 'bob@example.test' })
    },
  },
  '/forgot/sent': {
    begin: /^\/forgot$/,
    by: 'outside',
    happen: async ({ outside, ada }) => {
      await outside.open('/forgot')
      return outside.submit('/forgot', { email: ada.email })
    },
  },
  '/account/sessions/ended': {
    begin: /^\/account\/sessions$/,
    by: 'inside',
    happen: async ({ inside }) => {
      await inside.open('/account/sessions/all')
      return inside.submit('/account/sessions/all')
    },
  },
  '/not-me/done': {
    begin: /^\/login$/,
    by: 'outside',
    happen: async (scene) => {
      await move(scene)
      await follow(scene, '/address/confirm')
      return follow(scene, '/not-me')
    },
  },
  '/account/address/sent': { begin: /^\/account\/address$/, by: 'inside', happen: move },
  '/address/done': {
    begin: /^\/login$/,
    by: 'outside',
    happen: async (scene) => {
      await move(scene)
      return follow(scene, '/address/confirm')
    },
  },
  '/address/restored': {
    begin: /^\/login$/,
    by: 'outside',
    happen: async (scene) => {
      await move(scene)
      await follow(scene, '/address/confirm')
      return follow(scene, '/address/restore')
    },
  },
  '/deletion/asked': { begin: /^\/account\/delete$/, by: 'inside', happen: erase },
  '/deletion/stopped': {
    begin: /^\/login$/,
    by: 'outside',
    happen: async (scene) => {
      await erase(scene)
      return follow(scene, '/deletion/stop')
    },
  },
}

/** What the pages about a deed, and not about a mail, must not say: it may have changed since. */
const PRESENT: Readonly<Record<string, RegExp>> = {
  '/account/sessions/ended': /Nobody is signed in|Niemand ist/,
  '/not-me/done': /ist es nicht mehr/,
  '/address/done': /stay as they are|bleiben/,
  '/address/restored': /is back|has ended|ist zurück/,
  '/deletion/asked':
    /will be erased|You are signed out|unless you|Sie sind|<h1>Ihr Konto wird|es sei denn, Sie/,
  '/deletion/stopped': /stays|bleibt/,
}

// What a browser of nobody may open, and what claims nothing.
const PLAIN =
  /^(?:\/|\/login|\/logout|\/sign-up|\/forgot|\/language|\/(?:en|de)\/help.*|\/healthz|\/readyz|\/dev\/mail|\/lost)$/

describe('a page that says that something was done', () => {
  for (const [path, done] of Object.entries(DONE))
    it(`${path}: says so for some minutes, to the browser that did it, and about nothing else [RA-2801 RA-0007]`, async (test) => {
      const world = await World.create(test)
      const scene = await begin(world)
      const browser = scene[done.by]
      const other = world.browser()

      assert.deepEqual((await done.happen(scene)).location, path)

      assert.equal((await browser.open(path)).status, 200)
      assert.equal((await browser.open(path)).status, 200, 'loaded again')
      for (const another of Object.keys(DONE).filter((each) => each !== path))
        assert.ok(isLedOn(await browser.open(another)), another)
      assert.ok(isLedOn(await other.open(path)))
      world.clock.advance(DONE_SECONDS - 1)
      assert.equal((await browser.open(path)).status, 200)
      world.clock.advance(1)
      assert.ok(isLedOn(await browser.open(path)))
      world.clock.advance(-DONE_SECONDS - 1)
      assert.ok(isLedOn(await browser.open(path)), 'from the future')
      assert.deepEqual(world.faults, [])
    })

  for (const [path, present] of Object.entries(PRESENT))
    it(`${path}: names what was done and when, and claims nothing of the time since [RA-2801]`, async (test) => {
      const world = await World.create(test)
      const scene = await begin(world)
      const done = DONE[path]
      assert.ok(done)
      await done.happen(scene)
      const at = new Date(world.clock.timestamp() * 1000).toISOString().replace('.000', '')
      world.clock.advance(DONE_SECONDS - 1)
      // In another browser, which makes what the page said of the present untrue.
      await world.browser().password(scene.ada)

      const pages = [
        await scene[done.by].open(path),
        await scene[done.by].open(path, { headers: { 'accept-language': 'de' } }),
      ]

      for (const { status, html } of pages) {
        assert.equal(status, 200)
        assert.ok(html.includes(`<time datetime="${at}"`), at)
        const main = /<main[^]*<\/main>/.exec(html)?.[0] ?? ''
        assert.doesNotMatch(main, present)
      }
    })

  it('is there for nobody who types the address, and leads to where it begins [RA-2801]', async (test) => {
    const world = await World.create(test)
    const { inside } = await begin(world)
    await world.app.boot()
    const routes = (await world.app.inspection()).routes().filter(({ methods }) => methods.includes('GET'))
    const paths = routes.flatMap((route) => route.paths.map(({ path }) => path))
    const open = paths.filter((path) => !path.includes('{') && !PLAIN.test(path))
    for (const path of Object.keys(DONE)) assert.ok(open.includes(path), path)

    // Whoever is not signed in finds no page but those that claim nothing.
    for (const path of open) {
      const { status } = await world.browser().open(path)
      assert.ok(status >= 300, `${path}: ${status}`)
    }
    for (const [path, { begin: start }] of Object.entries(DONE)) {
      const page = await inside.open(path)
      assert.ok(isLedOn(page), path)
      assert.match(page.location ?? '', start, path)
    }
  })

  it('claims no mail where none are sent [RA-2801]', async (test) => {
    const { database, store, clock } = await World.create(test)
    const { app } = createApplication({ database, store, clock, keys: [KEY] })
    const client = new TestClient(app, { origin: 'https://app.test' })
    client.setCookie(`__Host-done=${clock.timestamp()}/deletion/asked; Path=/; Secure`)

    const pages = [
      await client.get('/deletion/asked'),
      await client.get('/deletion/asked', { headers: { 'accept-language': 'de' } }),
    ]

    for (const page of pages) {
      const main = /<main[^]*<\/main>/.exec(await page.text())?.[0] ?? ''
      assert.match(main, /in another one|in einem anderen Browser/)
      assert.doesNotMatch(main, /\b[Mm]ail\b/)
    }
  })

  it('believes no cookie that is malformed [RA-2801]', async (test) => {
    const world = await World.create(test)
    const now = world.clock.timestamp()
    for (const value of [
      '',
      'x',
      '/forgot/sent',
      `${now}`,
      `${now}/forgot`,
      `-${now}/forgot/sent`,
      `${now}9/forgot/sent`,
    ]) {
      const browser = world.browser()
      browser.client.setCookie(`__Host-done=${value}; Path=/; Secure`)
      assert.equal((await browser.open('/forgot/sent')).location, '/forgot', value)
    }
  })
})
